/**
 * What is known of parts of exported schemas beside their keywords. It hangs on their identity, so nothing of it is sent to a
 * model.
 */
export const partMarks: {
  /** Parts whose values are not shown. */
  readonly sensitive: WeakSet<object>;
  /** Unions, each with the name of the member that decides. */
  readonly by: WeakMap<object, string>;
  /** Parts that take any JSON. */
  readonly anyJson: WeakSet<object>;
} = { sensitive: new WeakSet(), by: new WeakMap(), anyJson: new WeakSet() };
