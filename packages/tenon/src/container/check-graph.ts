import type { Violation } from "../errors/assembly-errors.js";
import type { Class } from "../util/class.js";
import { depsOf, depsOfList } from "./inject.js";
import { runBehind } from "./run-behind.js";
import type { Slot } from "./slot.js";
import type { Slots } from "./slots.js";
import type { Dep, Key } from "./keys.js";
import { isOptional, isToken, keyName, keyOf } from "./keys.js";

/** Something that will be given dependencies: a tool, a hook. With `cls`, `deps` defaults to what its `@inject` says. */
export interface Root {
  /** For messages: `tool note_save`. */
  readonly name: string;
  readonly cls?: Class | undefined;
  readonly deps?: readonly Dep[] | undefined;
  /** It says of itself that it lives as long as the app, so nothing of one run may be given to it. */
  readonly single?: boolean | undefined;
}

interface Wanted {
  readonly path: string;
  readonly roots: Set<string>;
}

/**
 * Follows every dependency of the roots (and of every provider) and says what is wrong. Runs no constructor and no factory.
 *
 * A missing provider is one violation, at the first root that wants it; of a cycle every edge that closes one is.
 */
export function checkGraph(slots: Slots, roots: readonly Root[], extent: "with providers" | "roots only"): Violation[] {
  return new GraphCheck(slots).run(roots, extent);
}

class GraphCheck {
  readonly #slots: Slots;
  readonly #violations: Violation[] = [];
  readonly #missing = new Map<Key, Wanted>();
  readonly #reported = new Set<string>();
  readonly #tokens = new Map<string, { readonly token: Key; readonly at: string }>();
  readonly #reached = new Set<Slot>();

  constructor(slots: Slots) {
    this.#slots = slots;
  }

  run(roots: readonly Root[], extent: "with providers" | "roots only"): Violation[] {
    const provided = this.#slots.all();
    for (const slot of provided) this.#seeToken(slot.key, slot.at);
    for (const root of roots) {
      const { deps, faults } = root.cls === undefined ? depsOfList(root.name, root.deps) : depsOf(root.cls, root.deps);
      for (const fault of faults) this.#add(root.name, fault);
      if (root.single === true) this.#assertNoneOfRun(root.name, deps);
      this.#follow(deps, root.name, [root.name], [], new Set());
    }
    if (extent === "with providers") {
      for (const slot of provided)
        if (!this.#reached.has(slot)) this.#follow(slot.deps, slot.at, [slot.name], [slot], new Set([slot]));
    }
    for (const [key, { path, roots: wanting }] of this.#missing) this.#addMissing(key, path, [...wanting]);
    return this.#violations;
  }

  #follow(deps: readonly Dep[], root: string, path: readonly string[], open: readonly Slot[], seen: Set<Slot>): void {
    const user = open.at(-1);
    for (const dep of deps) {
      const key = keyOf(dep);
      this.#slots.wanted.add(key);
      this.#seeToken(key, path.join(" -> "));
      const slot = this.#slots.find(key);
      const next = [...path, keyName(key)];
      if (slot === undefined) {
        if (!isOptional(dep)) this.#want(key, root, next);
        continue;
      }
      this.#reached.add(slot);
      if (open.includes(slot)) {
        this.#addCycle(root, open.slice(open.indexOf(slot)));
        continue;
      }
      const kept = user?.scope === "singleton" ? runBehind(this.#slots, slot) : undefined;
      if (kept !== undefined) this.#addCaptive(root, user!, kept, path);
      if (seen.has(slot)) continue;
      seen.add(slot);
      this.#follow(slot.deps, root, next, [...open, slot], seen);
    }
  }

  #assertNoneOfRun(root: string, deps: readonly Dep[]): void {
    for (const dep of deps) {
      const slot = this.#slots.find(keyOf(dep));
      const way = slot === undefined ? undefined : runBehind(this.#slots, slot);
      if (way === undefined) continue;
      const shown = [root, ...way.map(({ name }) => name)].join(" -> ");
      this.#add(
        root,
        `it has \`scope: "singleton"\` and would keep ${way.at(-1)!.name} of one run: ${shown}; leave \`scope\` out, or say "run"`,
      );
    }
  }

  #want(key: Key, root: string, path: readonly string[]): void {
    const wanted = this.#missing.get(key);
    if (wanted === undefined) this.#missing.set(key, { path: path.join(" -> "), roots: new Set([root]) });
    else wanted.roots.add(root);
  }

  #addMissing(key: Key, path: string, [first, ...others]: string[]): void {
    const name = keyName(key);
    const also = others.length === 0 ? "" : ` (also wanted by ${others.join(", ")})`;
    const how = isToken(key) ? `{ provide: ${name}, useValue: … }` : `${name} (its constructor takes parameters)`;
    this.#add(first!, `no provider for ${name}: ${path}${also}; add ${how} to \`providers\``);
  }

  #addCycle(root: string, cycle: readonly Slot[]): void {
    const names = [...cycle, cycle[0]!].map((slot) => slot.name);
    const edges = cycle.map((slot, i) => `${slot.at}>${cycle[(i + 1) % cycle.length]!.at}`).sort();
    if (this.#first(`cycle ${edges.join()}`))
      this.#add(root, `dependency cycle ${names.join(" -> ")}; take one of these out of the other's \`deps\``);
  }

  #addCaptive(root: string, user: Slot, way: readonly Slot[], path: readonly string[]): void {
    const slot = way.at(-1)!;
    if (!this.#first(`captive ${user.at}>${slot.at}`)) return;
    const shown = [...path, ...way.map(({ name }) => name)].join(" -> ");
    this.#add(
      root,
      `${user.name} lives as long as the app and would keep ${slot.name} of one run: ${shown}; give ${user.name} \`scope: "run"\``,
    );
  }

  #seeToken(key: Key, at: string): void {
    if (!isToken(key)) return;
    const known = this.#tokens.get(key.name);
    if (known === undefined) this.#tokens.set(key.name, { token: key, at });
    else if (known.token !== key && this.#first(`token ${key.name}`)) {
      this.#add(
        at,
        `there are two different tokens named ${key.name}, the other one at ${known.at}; make the token once and import it, or give one another name`,
      );
    }
  }

  #first(what: string): boolean {
    if (this.#reported.has(what)) return false;
    this.#reported.add(what);
    return true;
  }

  #add(at: string, message: string): void {
    this.#violations.push({ at, message, code: "assembly_error" });
  }
}
