/** What every tool has that only reads at a service: its policy, as far as it is the same for all. */
export const outsideRead: {
  readonly access: "read";
  readonly source: "untrusted";
  readonly timeoutMs: 30_000;
} = {
  access: "read",
  source: "untrusted",
  timeoutMs: 30_000,
};
