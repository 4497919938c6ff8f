/** What every tool has that only reads at a service: its policy, as far as it is the same for all. */
export const outsideRead: { readonly access: "read"; readonly timeoutMs: 30_000 } = {
  access: "read",
  timeoutMs: 30_000,
};
