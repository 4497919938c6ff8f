import type { Dep, DepValues, Key } from "./keys.js";
import type { FactoryResult, ProviderEntry, ProviderScope, ValueProvider } from "./provider.js";

/** `useClass` of `provide`, its constructor checked against `deps`. */
export interface CheckedClass<out V, in out D extends readonly Dep[]> {
  readonly useClass: new (...args: DepValues<D>) => V;
  readonly deps: D;
  readonly scope?: ProviderScope | undefined;
}

/** `useClass` of `provide` for a class that has no parameters or marks them with `@inject`. */
export interface InjectedClass<out V> {
  readonly useClass: new (...args: any[]) => V;
  readonly deps?: undefined;
  readonly scope?: ProviderScope | undefined;
}

/** `useFactory` of `provide`, its parameters inferred from `deps`. It may be async. */
export interface CheckedFactory<out V, in out D extends readonly Dep[]> {
  readonly useFactory: (...args: DepValues<D>) => FactoryResult<V>;
  readonly deps?: D | undefined;
  readonly scope?: ProviderScope | undefined;
}

/** What `provide` takes beside the key. */
export type Provision<V, D extends readonly Dep[]> =
  | ValueProvider<V>
  | CheckedClass<V, D>
  | InjectedClass<V>
  | CheckedFactory<V, D>;

/** One provider, checked by itself: `provide(CONFIG, { deps: [ENV], useFactory: (env) => readConfig(env) })`. The same as the literal `{ provide: KEY, … }`. */
export function provide<T, const D extends readonly Dep[] = []>(
  key: Key<T>,
  how: Provision<NoInfer<T>, D>,
): ProviderEntry {
  return Object.freeze({ ...how, provide: key }) as unknown as ProviderEntry;
}
