import type { Container } from "../../src/container/container.js";
import { createContainer } from "../../src/container/container.js";

/** The value of what must not take its time. */
export function now<T>(given: T | Promise<T>): T {
  if (given instanceof Promise) throw new Error("it is a promise");
  return given;
}

/** A container with nothing wrong in it. */
export function containerOf(...entries: unknown[]): Container {
  const { container, violations } = createContainer({ providers: [{ at: "providers", entries }], roots: [] });
  if (violations.length > 0) throw new Error(violations.map(({ message }) => message).join());
  return container;
}

/** What a promise rejects with. */
export async function rejected(promise: unknown): Promise<any> {
  return (promise as Promise<unknown>).then(
    () => {
      throw new Error("it did not reject");
    },
    (error: unknown) => error,
  );
}
