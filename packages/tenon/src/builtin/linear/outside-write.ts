/** What every tool has that changes something in Linear: its policy, as far as it is the same for all. What it gives back holds texts of others. */
export const outsideWrite: {
  readonly access: "write";
  readonly source: "untrusted";
  readonly timeoutMs: 30_000;
} = {
  access: "write",
  source: "untrusted",
  timeoutMs: 30_000,
};
