import { copyPlain } from "../util/copy-plain.js";
import type { Case, Dto, Holds } from "./dto.js";
import { isObject } from "../util/is-object.js";

type Convert = (value: unknown) => unknown;
interface Member {
  readonly key: string;
  /** Undefined for a scalar, which is taken as it is. */
  readonly convert: Convert | undefined;
  /** Every object inherits something of this name, or the class has something there: it is read and set as the object's own. */
  readonly careful: boolean;
}

/** The function that makes an instance of a DTO from checked JSON: its prototype, exactly the checked fields, nothing shared. No constructor or initialiser runs. */
export function dtoMaker(dto: Dto, made: Map<Dto, Convert> = new Map()): Convert {
  return converter(dto, made, (of) => {
    // An empty function with the class's prototype makes what `Object.create` makes, in half the time.
    const Shell = function (): void {} as unknown as new () => Record<string, unknown>;
    (Shell as { prototype: unknown }).prototype = of.of.prototype;
    return () => new Shell();
  });
}

/** The function that copies of an output what its DTO declares, and leaves all else behind. What is no object is given back as it is. */
export function dtoPicker(dto: Dto): Convert {
  const pick = converter(dto, new Map(), () => () => ({}));
  return pick;
}

function converter(dto: Dto, made: Map<Dto, Convert>, shellOf: ShellOf): Convert {
  const before = made.get(dto);
  if (before !== undefined) return before;
  const shell = shellOf(dto);
  const members: Member[] = [];
  const convert: Convert = (value: unknown) => {
    if (!isObject(value)) return value;
    const object = shell();
    for (let at = 0; at < members.length; at++) {
      const { key, convert: inner, careful } = members[at]!;
      if (careful) {
        if (Object.hasOwn(value, key) && value[key] !== undefined)
          Object.defineProperty(object, key, {
            value: inner === undefined ? value[key] : inner(value[key]),
            writable: true,
            enumerable: true,
            configurable: true,
          });
        continue;
      }
      const member = value[key];
      if (member !== undefined) object[key] = inner === undefined ? member : inner(member);
    }
    return object;
  };
  made.set(dto, convert);
  for (const { key, holds } of dto.fields) {
    members.push({
      key,
      convert: holdsConverter(holds, made, shellOf),
      careful: key in dto.of.prototype || key in Object.prototype,
    });
  }
  return convert;
}

type ShellOf = (dto: Dto) => () => Record<string, unknown>;

function holdsConverter(
  { record, item, dto, cases }: Holds,
  made: Map<Dto, Convert>,
  shellOf: ShellOf,
): Convert | undefined {
  if (dto !== undefined) return converter(dto, made, shellOf);
  if (cases !== undefined) return caseConverter((record.options as { by: string }).by, cases, made, shellOf);
  if (record.kind === "json") return copyPlain;
  if (item === undefined) return undefined;
  const inner = holdsConverter(item, made, shellOf) ?? same;
  if (record.kind === "map") return (value) => (isObject(value) ? convertedMap(value, inner) : value);
  if (inner === same) return (value) => (Array.isArray(value) ? [...(value as unknown[])] : value);
  return (value) => (Array.isArray(value) ? (value as unknown[]).map((one) => inner(one)) : value);
}

function same(value: unknown): unknown {
  return value;
}

/** What no case is meant by is given back as it is, for the check to refuse. */
function caseConverter(by: string, cases: readonly Case[], made: Map<Dto, Convert>, shellOf: ShellOf): Convert {
  const converters = new Map<unknown, Convert>();
  for (const { dto, values } of cases) {
    const convert = converter(dto, made, shellOf);
    for (const value of values) converters.set(value, convert);
  }
  return (value) => {
    const convert = isObject(value) && Object.hasOwn(value, by) ? converters.get(value[by]) : undefined;
    return convert === undefined ? value : convert(value);
  };
}

function convertedMap(value: Record<string, unknown>, convert: Convert): Record<string, unknown> {
  const map: Record<string, unknown> = {};
  for (const key of Object.keys(value)) {
    if (key !== "__proto__") map[key] = convert(value[key]);
    // Kept as a member of its own, for the check to refuse.
    else Object.defineProperty(map, key, { value: value[key], enumerable: true, configurable: true, writable: true });
  }
  return map;
}
