import type { OnEnd } from "../journal/engine.js";
import { isPromise, type Maybe } from "../util/class.js";
import { NotCalled } from "./model-reservation.js";
import type { RunState } from "./run-state.js";

/**
 * Looks, before a model is asked, at the tools of a run that live on servers, and goes on. The first time in an activation `end`
 * hears of a server that is not to be reached and of tools that are not what they were taken for: no model is called. Later the
 * run goes on with what is there. A run that is stopped waits no longer.
 */
export function lookAtRemotes(state: RunState, end: OnEnd<unknown>, next: () => void): void {
  if (state.stopped !== undefined) return next();
  const first = !state.sawRemotes;
  const looking = lookAt(state, first);
  if (isPromise(looking)) new Looking(state, end, next).wait(looking, first);
  else {
    state.sawRemotes = true;
    next();
  }
}

function lookAt({ ports }: RunState, first: boolean): Maybe<unknown> {
  let waited: Promise<unknown>[] | undefined;
  for (const { server, tools } of ports.tools.remotes!) {
    let looking: Maybe<void>;
    try {
      looking = server.look(tools, first);
    } catch (thrown) {
      looking = Promise.reject(thrown as Error);
    }
    if (isPromise(looking)) (waited ??= []).push(looking);
  }
  return waited === undefined ? undefined : Promise.all(waited);
}

/** What a stopped run lets go of. */
class Looking {
  readonly #state: RunState;
  readonly #end: OnEnd<unknown>;
  readonly #next: () => void;
  #over = false;

  constructor(state: RunState, end: OnEnd<unknown>, next: () => void) {
    this.#state = state;
    this.#end = end;
    this.#next = next;
  }

  wait(looking: Promise<unknown>, first: boolean): void {
    this.#state.calls.add(this);
    looking.then(
      () => this.#goOn(),
      (thrown: unknown) => {
        if (!first) this.#goOn();
        else if (this.#isOver()) return;
        else this.#end.failed(thrown);
      },
    );
  }

  abort(): void {
    if (!this.#isOver()) this.#end.failed(new NotCalled());
  }

  #goOn(): void {
    if (this.#isOver()) return;
    this.#state.sawRemotes = true;
    try {
      this.#next();
    } catch (thrown) {
      this.#end.failed(thrown);
    }
  }

  #isOver(): boolean {
    if (this.#over) return true;
    this.#over = true;
    this.#state.calls.delete(this);
    return false;
  }
}
