import { expect, test } from "vitest";
import { token } from "../../src/doors/container/index.js";
import { DisposeError } from "../../src/errors/assembly-errors.js";
import { containerOf } from "./now.js";

const A = token<object>("A");
const B = token<object>("B");
const C = token<object>("C");
const D = token<object>("D");

test("[B115] A needs B needs C: disposed A, B, C, one after the other; B's failure stops nothing; what was never made stays out", async () => {
  const log: string[] = [];
  const failure = new Error("B does not close");
  const part = (name: string, fails = false) => ({
    async [Symbol.asyncDispose]() {
      log.push(`${name} begins`);
      await Promise.resolve();
      if (fails) throw failure;
      log.push(`${name} ends`);
    },
  });
  const container = containerOf(
    { provide: A, deps: [B], useFactory: () => part("A") },
    { provide: B, deps: [C], useFactory: () => part("B", true) },
    { provide: C, useFactory: () => part("C") },
    { provide: D, useFactory: () => part("D") },
  );
  void container.get(A);
  const error: unknown = await container.dispose().then(
    () => undefined,
    (thrown: unknown) => thrown,
  );
  expect(log).toEqual(["A begins", "A ends", "B begins", "C begins", "C ends"]);
  expect(DisposeError.is(error)).toBe(true);
  expect((error as DisposeError).errors).toEqual([failure]);
  expect((error as DisposeError).data).toEqual({ names: ["B"] });
});

test("[B115] where C cannot be made, the caller gets the cause and those already up are disposed", async () => {
  const log: string[] = [];
  const cause = new Error("C is down");
  const part = (name: string) => ({ [Symbol.dispose]: () => void log.push(name) });
  const container = containerOf(
    { provide: A, useFactory: () => part("A") },
    { provide: B, deps: [A], useFactory: () => part("B") },
    {
      provide: C,
      deps: [B],
      useFactory: () => {
        throw cause;
      },
    },
    { provide: D, deps: [A, B, C], useFactory: () => part("D") },
  );
  expect(() => container.get(D)).toThrowError(expect.objectContaining({ cause, data: { path: "D -> C" } }));
  await container.dispose();
  expect(log).toEqual(["B", "A"]);
});

test("asyncDispose goes before dispose, errors of both kinds are collected, and an object is disposed once", async () => {
  const log: string[] = [];
  const both = {
    [Symbol.asyncDispose]: async () => void log.push("async"),
    [Symbol.dispose]: () => void log.push("sync"),
  };
  const container = containerOf(
    { provide: A, useFactory: () => both },
    { provide: B, deps: [A], useFactory: (a: object) => a },
    {
      provide: C,
      useFactory: () => ({
        [Symbol.dispose]: () => {
          throw new Error("C");
        },
      }),
    },
    { provide: D, useFactory: () => ({ [Symbol.asyncDispose]: () => Promise.reject(new Error("D")) }) },
  );
  for (const key of [B, C, D]) void container.get(key);
  const error = (await container.dispose().catch((thrown: unknown) => thrown)) as DisposeError;
  expect(log).toEqual(["async"]);
  expect(error.errors.map((thrown) => (thrown as Error).message)).toEqual(["D", "C"]);
  await expect(container.dispose()).rejects.toBe(error);
});

test("useValue belongs to the caller; what instantiate made belongs to the container", async () => {
  const log: string[] = [];
  const container = containerOf(
    { provide: A, useValue: { [Symbol.dispose]: () => void log.push("value") } },
    { provide: B, deps: [A], useFactory: (a: object) => a },
  );
  void container.get(A);
  void container.get(B);
  void container.instantiate(
    class Tool {
      [Symbol.dispose]() {
        log.push("tool");
      }
    },
    [],
  );
  await container.dispose();
  expect(log).toEqual(["tool"]);
});
