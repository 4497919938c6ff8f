export { inject, type InjectDecorator } from "../../container/inject.js";
export type { Lifecycle } from "../../container/lifecycle.js";
export {
  provide,
  type CheckedClass,
  type CheckedFactory,
  type InjectedClass,
  type Provision,
} from "../../container/provide.js";
export type {
  ClassProvider,
  FactoryProvider,
  FactoryResult,
  Provider,
  ProviderEntry,
  Providers,
  ProviderScope,
  ValueProvider,
} from "../../container/provider.js";
export {
  optional,
  token,
  type Dep,
  type DepValue,
  type DepValues,
  type FitsDeps,
  type Key,
  type OptionalDep,
  type Token,
} from "../../container/keys.js";
export type { Class } from "../../util/class.js";
