import type { Store } from "../../src/doors/tenon/index.js";

/** A store as one process sees it, and the end of that process: from then on nothing of it is written and nothing answers. */
export interface Mortal {
  readonly store: Store;
  die(): void;
  /** Dies just before, or just after, the given call of a method (counted from 1). */
  dieAt(method: keyof Store, call: number, when: "before" | "after"): void;
  readonly dead: boolean;
}

export function mortal(inner: Store): Mortal {
  let dead = false;
  const plans: { method: string; left: number; when: "before" | "after" }[] = [];
  const store = new Proxy(inner, {
    get(target, name) {
      const member: unknown = Reflect.get(target, name, target);
      if (typeof member !== "function") return member;
      if (name === "close") return () => undefined;
      return (...args: unknown[]): unknown => {
        const due = plans.filter((plan) => plan.method === name && --plan.left === 0);
        if (due.some(({ when }) => when === "before")) dead = true;
        if (dead) return new Promise(() => {});
        const result: unknown = Reflect.apply(member, target, args);
        if (due.length > 0) dead = true;
        return dead ? new Promise(() => {}) : result;
      };
    },
  });
  return {
    store,
    die: () => void (dead = true),
    dieAt: (method, call, when) => void plans.push({ method, left: call, when }),
    get dead() {
      return dead;
    },
  };
}
