/** Shorter ones are no secrets, and would make holes everywhere. */
const SHORTEST = 4;

/** Puts `***` in the place of values that no message may show, in every form in which servers repeat them. */
export type HideValues = (text: string) => string;

/** Hides these values, the words of those that are several (`Bearer …`), and how JSON and addresses write them. */
export function hideValues(values: Iterable<string>): HideValues {
  const hidden = new Set<string>();
  for (const value of values)
    for (const part of [value, ...value.split(/\s+/)])
      if (part.length >= SHORTEST)
        for (const form of [part, JSON.stringify(part).slice(1, -1), encodeURIComponent(part.toWellFormed())])
          hidden.add(form);
  const longestFirst = [...hidden].sort((a, b) => b.length - a.length);
  return (text) => longestFirst.reduce((shown, value) => shown.replaceAll(value, "***"), text);
}
