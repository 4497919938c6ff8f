/** From version 2, whose sums had no tool calls. */
export const from2To3: string = `
  ALTER TABLE ledger_sums ADD COLUMN tool_calls INTEGER NOT NULL DEFAULT 0;
`;
