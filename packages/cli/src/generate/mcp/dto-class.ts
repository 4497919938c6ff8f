import type * as Dto from "tenon/dto";
import type { DtoReference, DtoShape, Shape } from "./shape.js";

/** The decorators of the project's own `tenon/dto`. */
export type DtoDoor = Pick<
  typeof Dto,
  "Choice" | "DateTime" | "Flag" | "Int" | "Json" | "ListOf" | "MapOf" | "Nested" | "Num" | "OneOf" | "Text"
>;

type Decorate = (prototype: object, key: string) => void;
type Make = (...args: readonly unknown[]) => Decorate;

/** The classes that `dtoSource` writes, made without a compiler: the last one. What is wrong with them, Tenon says when it reads them. */
export function dtoClass(dtos: readonly DtoShape[], door: DtoDoor): abstract new () => object {
  const classes = new Map<string, abstract new () => object>();
  for (const { name } of dtos) classes.set(name, { [name]: class {} }[name]!);
  const make = door as unknown as Readonly<Record<Shape["kind"], Make>>;
  const reference = ({ name }: DtoReference): unknown => classes.get(name);
  const decorator = (shape: Shape, optional: boolean): Decorate => {
    const { kind, pattern, ...rest } = { pattern: undefined, ...shape };
    const { item: _, dto: __, dtos: ___, values: ____, ...options } = rest as { readonly [name: string]: unknown };
    const given = {
      ...options,
      ...(optional && { optional }),
      ...(pattern !== undefined && { pattern: new RegExp(pattern, "u") }),
    };
    if (shape.kind === "Choice") return make[kind](shape.values, given);
    if (shape.kind === "ListOf" || shape.kind === "MapOf") return make[kind](decorator(shape.item, false), given);
    if (shape.kind === "Nested") return make[kind](reference(shape.dto), given);
    if (shape.kind === "OneOf") return make[kind](shape.dtos.map(reference), given);
    return make[kind](given);
  };
  for (const { name, fields } of dtos)
    for (const { key, holds, optional } of fields)
      decorator(holds, optional)(classes.get(name)!.prototype as object, key);
  return classes.get(dtos.at(-1)!.name)!;
}
