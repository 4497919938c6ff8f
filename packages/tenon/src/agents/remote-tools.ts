import type { OnEnd } from "../journal/engine.js";
import type { ToolDeclaration } from "../llm/model.js";
import type { RemoteGroup } from "../tools/remote-tool.js";
import { chain, isPromise, type Maybe } from "../util/class.js";
import { NotCalled } from "./model-reservation.js";
import type { RunState } from "./run-state.js";

/** Which tools of a group are not there now. */
type Gone = readonly [group: RemoteGroup, tools: readonly string[]];

/**
 * Looks, before a model is asked, at the tools of a run that live on servers, and goes on: those that are not there are not
 * offered. The first time in an activation `end` hears of a server that is not to be reached and of tools that are not what they
 * were taken for: no model is called. Later the run goes on with what is known. A run that is stopped waits no longer.
 */
export function lookAtRemotes(state: RunState, end: OnEnd<unknown>, next: () => void): void {
  if (state.stopped !== undefined) return next();
  const first = !state.sawRemotes;
  const looks = state.ports.tools.remotes!.map((group) => lookAt(state, group, first));
  if (looks.some((look) => isPromise(look))) return new Looking(state, end, next).wait(whenAll(looks), first);
  offer(state, looks as readonly Gone[]);
  next();
}

async function whenAll(looks: readonly Maybe<Gone>[]): Promise<readonly Gone[]> {
  return Promise.all(looks.map(async (look) => look));
}

function lookAt({ ports }: RunState, group: RemoteGroup, first: boolean): Maybe<Gone> {
  try {
    return chain(group.server.look(group.tools, first, ports.executionContext), (gone): Gone => [group, gone]);
  } catch (thrown) {
    return Promise.reject(thrown);
  }
}

/** The same list for every request, as long as the same tools are there. */
function offer(state: RunState, looks: readonly Gone[]): void {
  state.sawRemotes = true;
  const { tools } = state.ports;
  if (looks.every(([, gone]) => gone.length === 0)) {
    state.offered = undefined;
    return;
  }
  const there: readonly ToolDeclaration[] = tools.tools
    .filter(
      ({ remote }) => !looks.some(([{ server }, gone]) => remote?.server === server && gone.includes(remote.tool)),
    )
    .map(({ declaration }) => declaration);
  const known = state.offered;
  const same = known?.length === there.length && there.every((declaration, i) => declaration === known[i]);
  if (!same) state.offered = Object.freeze(there);
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

  wait(looking: Promise<readonly Gone[]>, first: boolean): void {
    this.#state.calls.add(this);
    looking.then(
      (looks) =>
        this.#settled(() => {
          offer(this.#state, looks);
          this.#next();
        }),
      (thrown: unknown) => this.#settled(() => (first ? this.#end.failed(thrown) : this.#next())),
    );
  }

  abort(): void {
    this.#settled(() => this.#end.failed(new NotCalled()));
  }

  #settled(goOn: () => void): void {
    if (this.#over) return;
    this.#over = true;
    this.#state.calls.delete(this);
    try {
      goOn();
    } catch (thrown) {
      this.#end.failed(thrown);
    }
  }
}
