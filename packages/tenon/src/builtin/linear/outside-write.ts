/** What every tool has that changes something in Linear: its policy, as far as it is the same for all. */
export const outsideWrite: { readonly access: "write"; readonly timeoutMs: 30_000 } = {
  access: "write",
  timeoutMs: 30_000,
};
