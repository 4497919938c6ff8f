/**
 * `make`, called once for each object and never again as long as the object lives. What is asked for mostly is what was asked for
 * last, and a look at that one is a tenth of one at the map.
 */
export function onceEach<K extends object, V>(make: (of: K) => V): (of: K) => V {
  const known = new WeakMap<K, { readonly value: V }>();
  let last: K | undefined;
  let lastValue: V;
  return (of) => {
    if (of === last) return lastValue;
    let found = known.get(of);
    if (found === undefined) known.set(of, (found = { value: make(of) }));
    last = of;
    return (lastValue = found.value);
  };
}
