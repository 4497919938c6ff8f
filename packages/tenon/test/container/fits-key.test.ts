import { expect, test } from "vitest";
import { createContainer } from "../../src/container/container.js";
import { optional, provide, token } from "../../src/doors/container/index.js";

const PORT = token<number>("PORT", (port) => (port > 0 ? [] : [`${port} is no port`, "a port is above 0"]));
const BROKEN = token<string>("BROKEN", (text) => [String(text.at(99)!.length)]);

function open(...entries: unknown[]) {
  return createContainer({ providers: [{ at: "providers", entries }], roots: [{ name: "root", deps: [PORT] }] });
}

test("a value that its key does not take is an assembly error, each fault of it", () => {
  expect(open(provide(PORT, { useValue: 80 })).violations).toEqual([]);
  expect(open(provide(PORT, { useValue: -1 })).violations.map(({ at, message }) => `${at}: ${message}`)).toEqual([
    "providers[0]: PORT: -1 is no port",
    "providers[0]: PORT: a port is above 0",
  ]);
});

test("a check that throws is a fault", () => {
  const { violations } = open(provide(PORT, { useValue: 1 }), provide(BROKEN, { useValue: "x" }));
  expect(violations.map(({ message }) => message)).toEqual([
    expect.stringMatching(/^BROKEN: the value cannot be read \(/),
  ]);
});

test("what a factory gives is checked when it is made, at once or later", async () => {
  const port = (useFactory: () => number | Promise<number>) => open(provide(PORT, { useFactory })).container;
  const values = (given: () => number | Promise<number>) => port(given).values([PORT, optional(BROKEN)], "root");
  expect(values(() => 80)).toEqual([80, undefined]);
  expect(await values(async () => 80)).toEqual([80, undefined]);
  const refused = /What a provider gave does not fit its key: PORT: -1 is no port; PORT: a port is above 0/;
  expect(() => values(() => -1)).toThrow(refused);
  await expect(values(async () => -1)).rejects.toThrow(refused);
});
