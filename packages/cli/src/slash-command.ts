/** What a line of a conversation asks of the chat itself, and not of the agent. */
export type SlashCommand = { readonly kind: "exit" | "help" } | { readonly kind: "unknown"; readonly word: string };

/** A line that is one of the chat's own commands. A path, as in "/etc/hosts is gone", is none. */
export function slashCommandOf(line: string): SlashCommand | undefined {
  const word = /^\s*(\/[\p{L}\p{N}_-]*)(?=\s|$)/u.exec(line)?.[1];
  if (word === undefined) return undefined;
  if (word === "/exit" || word === "/quit") return { kind: "exit" };
  return word === "/help" ? { kind: "help" } : { kind: "unknown", word };
}

/** What is said of a command that there is not. */
export function unknownText(word: string): string {
  return `there is no ${word}: the commands are /exit and /help. It was not sent to the model`;
}
