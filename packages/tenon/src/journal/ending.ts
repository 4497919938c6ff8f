import type { Settled } from "./engine.js";

/** Waits for an end: hears once how it settled, or what its store failed with. */
export interface Follower {
  settled(settled: Settled): void;
  broken(thrown: unknown): void;
}

/** Something that comes to an end which others wait for. */
export class Ending {
  #settled: Settled | undefined;
  #broken: { readonly thrown: unknown } | undefined;
  #followers: Follower[] | undefined;

  /** Tells of the end, also where it was before. */
  follow(follower: Follower): void {
    if (this.#settled !== undefined) follower.settled(this.#settled);
    else if (this.#broken !== undefined) follower.broken(this.#broken.thrown);
    else if (this.#followers === undefined) this.#followers = [follower];
    else this.#followers.push(follower);
  }

  /** Resolves at the end, whatever it was. */
  ended(): Promise<void> {
    return new Promise((resolve) => this.follow({ settled: () => resolve(), broken: () => resolve() }));
  }

  protected settleWith(settled: Settled): void {
    this.#settled = settled;
    const followers = this.#followers;
    if (followers !== undefined) for (let i = 0; i < followers.length; i++) followers[i]!.settled(settled);
  }

  protected breakWith(thrown: unknown): void {
    this.#broken = { thrown };
    if (this.#followers !== undefined) for (const follower of this.#followers) follower.broken(thrown);
  }
}
