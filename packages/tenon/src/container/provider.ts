import type { Dep, DepValues, Key } from "./keys.js";

declare const checkedEntry: unique symbol;

/**
 * How many instances there are and how long they live: one as long as the app (`singleton`, the default), one as long as a
 * run in this process (`run`), or one for each place that takes it, as long as whoever takes it (`transient`).
 */
export type ProviderScope = "singleton" | "run" | "transient";

/** What a factory gives: the value, or a promise of it, which is waited for before the first use. */
export type FactoryResult<V> = V | Promise<V>;

/** A value that the caller made. It is given out as it is and never disposed: it belongs to the caller. */
export interface ValueProvider<out V> {
  readonly useValue: V;
  readonly useClass?: undefined;
  readonly useFactory?: undefined;
  readonly deps?: undefined;
  readonly scope?: undefined;
}

/** A class to construct, by its scope, on first use. Without `deps` its `@inject` parameters count. */
export interface ClassProvider<out V, D> {
  readonly useClass: new (...args: any[]) => V;
  readonly deps?: D | undefined;
  readonly scope?: ProviderScope | undefined;
  readonly useValue?: undefined;
  readonly useFactory?: undefined;
}

/** A function to call, by its scope, on first use, with the values of `deps` in order. It may give a promise of the value. */
export interface FactoryProvider<out V, D> {
  readonly useFactory: (...args: any[]) => FactoryResult<V>;
  readonly deps?: D | undefined;
  readonly scope?: ProviderScope | undefined;
  readonly useValue?: undefined;
  readonly useClass?: undefined;
}

type AnyDeps = readonly Dep[] | [];

/** What `provide(KEY, { … })` gives: one entry, checked by itself. */
export interface ProviderEntry {
  readonly [checkedEntry]: true;
}

/** One entry of `providers` whose key gives a `T`: a class that stands for itself, or a key with `useValue`, `useClass` or `useFactory`. */
export type Provider<T = unknown> =
  | ({ readonly provide: Key<T> } & (
      | ValueProvider<NoInfer<T>>
      | ClassProvider<NoInfer<T>, AnyDeps>
      | FactoryProvider<NoInfer<T>, AnyDeps>
    ))
  | ((new (...args: any[]) => T) & { readonly provide?: never })
  | ProviderEntry;

type ArgsOf<D> = D extends readonly Dep[] ? DepValues<D> : [];
type DepsIn<E> = E extends { readonly deps: infer D } ? D : undefined;

/** `unknown` where the entry's `deps` fit its factory or constructor, else a type whose one member says what was wanted. */
type FitsEntry<E> = E extends { readonly useFactory: infer F extends (...args: any[]) => unknown }
  ? F extends (...args: ArgsOf<DepsIn<E>>) => unknown
    ? unknown
    : { "deps do not fit the factory": { factoryTakes: Parameters<F>; depsGive: ArgsOf<DepsIn<E>> } }
  : E extends { readonly useClass: infer C extends new (...args: any[]) => unknown; readonly deps: infer D }
    ? C extends new (...args: ArgsOf<D>) => unknown
      ? unknown
      : { "deps do not fit the constructor": { constructorTakes: ConstructorParameters<C>; depsGive: ArgsOf<D> } }
    : unknown;

/**
 * A list of providers, each checked against its own key.
 *
 * Declare the function that takes one with `P extends readonly unknown[] | [] = []` (what the keys give) and `L = unknown`
 * (the literal itself): `Providers<P, L>`. A factory's parameters in a literal are written with their types and checked
 * against `deps`; in `provide(KEY, { … })` they are inferred. Over some hundred entries `provide` also compiles faster. Of
 * them a list may also be chosen, or have parts that are: `on ? [provide(…)] : []`, `[provide(…), ...(on ? [provide(…)] : [])]`.
 */
export type Providers<P extends readonly unknown[] = readonly unknown[], L = unknown> =
  | ({ readonly [I in keyof P]: Provider<P[I]> } & L &
      (L extends readonly unknown[] ? { readonly [I in keyof L]: FitsEntry<L[I]> } : unknown))
  | readonly ProviderEntry[];
