import type { AppDescription } from "tenon";

/** The limits of an app in one line: each as a clause, then what happens at them, as far as the workflow says it. */
export function limitsText({ budgets, atLimit, reserve, reserveWaitMs }: AppDescription["limits"]): string {
  const texts = [
    ...Object.entries(budgets).map(([name, max]) => limitText(name, max)),
    ...(atLimit === undefined
      ? []
      : [
          atLimit === "ask"
            ? "at a limit of cost, tokens or model calls a person is asked"
            : "at a limit the run fails",
        ]),
    ...(reserve === undefined ? [] : [`reserves ${reserve === "strict" ? "strictly" : "as usual"}`]),
    ...(reserveWaitMs === undefined ? [] : [`a call waits at most ${reserveWaitMs} ms for what others have reserved`]),
  ];
  return texts.length === 0 ? "none" : texts.join(" · ");
}

function limitText(name: string, max: number): string {
  const [, scope, measure] = /^(.*)\.(\w+)$/.exec(name) ?? [];
  const verb = measure === undefined ? undefined : verbs.get(measure);
  if (scope === undefined || verb === undefined) return `${name} ${max}`;
  return `${ofWhat(scope)} ${verb(max)}`;
}

function ofWhat(scope: string): string {
  const agent = /^agents\.(.+)\.limits$/.exec(scope)?.[1];
  return agent === undefined ? (scopes.get(scope) ?? scope) : `${agent} in a run`;
}

const scopes: ReadonlyMap<string, string> = new Map([
  ["limits.perRun", "a run"],
  ["limits.perDay.workflow", "a day"],
  ["limits.perDay.owner", "a day of an owner"],
]);

const verbs: ReadonlyMap<string, (max: number) => string> = new Map([
  ["cost", (max: number) => `costs at most ${max} USD`],
  ["tokens", (max: number) => `takes at most ${max} tokens`],
  ["modelCalls", (max: number) => `makes at most ${max} model ${max === 1 ? "call" : "calls"}`],
  ["toolCalls", (max: number) => `makes at most ${max} tool ${max === 1 ? "call" : "calls"}`],
  ["wallTimeMs", (max: number) => `is active at most ${max} ms`],
]);
