import type { Case, Dto, Holds } from "./dto.js";

/** Gives each case of a `oneof`, wherever it stands in a field, the values that mean it. Adds to `faults` what cannot decide. */
export function fillCases({ record, item, cases }: Holds, at: string, faults: string[]): void {
  if (item !== undefined) return fillCases(item, at, faults);
  if (cases === undefined) return;
  const { by } = (record.options ?? {}) as { readonly by?: unknown };
  if (typeof by !== "string") {
    faults.push(`${at}: \`by\` does not name the field that decides`);
    return;
  }
  const taken = new Map<unknown, Dto>();
  for (const one of cases) {
    const fault = read(one, by);
    if (fault !== undefined) faults.push(`${at}: ${fault}`);
    for (const value of one.values) {
      const other = taken.get(value);
      if (other !== undefined)
        faults.push(`${at}: ${by} ${JSON.stringify(value)} means both ${other.name} and ${one.dto.name}`);
      taken.set(value, one.dto);
    }
  }
}

function read(one: Case, by: string): string | undefined {
  const { dto } = one;
  const field = dto.fields.find(({ key }) => key === by);
  if (field === undefined) return `${dto.name} has no field \`${by}\``;
  const { kind, options, values } = field.holds.record;
  if (kind !== "choice") return `${dto.name}.${by} decides, so it must be a \`@Choice\``;
  const { optional, nullable, default: fallback } = options as Record<string, unknown>;
  if (optional === true || nullable === true || fallback !== undefined)
    return `${dto.name}.${by} decides, so it can be neither optional nor nullable, and has no default`;
  if (Array.isArray(values)) one.values = values;
  return undefined;
}
