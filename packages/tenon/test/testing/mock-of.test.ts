import { expect, test } from "vitest";
import { inspect } from "node:util";
import { token } from "../../src/doors/tenon/index.js";
import { mockOfKey } from "../../src/testing/mock-of-key.js";
import { Issues, MAILER, NOW } from "./desk.js";

class Base {
  close(): string {
    return "real";
  }
  override(): string {
    return "real";
  }
}
class Client extends Base {
  readonly #secret = 1;
  readonly arrow = (): number => this.#secret;
  override override(): string {
    return "real";
  }
  get size(): number {
    throw new Error("the real getter ran");
  }
  [Symbol.iterator](): Iterator<number> {
    return [this.#secret].values();
  }
  [Symbol.dispose](): void {
    throw new Error("the real disposal ran");
  }
  async find(query: string): Promise<string[]> {
    return [query];
  }
}

test("a class's mock has its prototype's methods, inherited ones too, and none of its code runs", () => {
  const client = mockOfKey(Client);
  expect(client).toBeInstanceOf(Client);
  expect(Object.keys(client).toSorted()).toEqual(["close", "find", "override", "size"]);
  expect(client.close()).toBeUndefined();
  expect(client.override()).toBeUndefined();
  expect(client.size).toBeUndefined();
  expect(client[Symbol.iterator]).toBeUndefined();
  client[Symbol.dispose]();
  expect(client[Symbol.dispose]).toHaveBeenCalledOnce();
  expect(client.constructor).toBe(Client);
});

test("a class's mock also grows what its constructor would have made", () => {
  const client = mockOfKey(Client);
  client.arrow.mockReturnValue(5);
  expect(client.arrow()).toBe(5);
  expect(client.arrow).toBe(client.arrow);
});

test("mocks answer, count and forget as Vitest's own", async () => {
  const client = mockOfKey(Client);
  client.find.mockResolvedValueOnce(["a"]).mockRejectedValueOnce(new Error("down"));
  expect(await client.find("x")).toEqual(["a"]);
  await expect(client.find("y")).rejects.toThrow("down");
  expect(client.find).toHaveBeenCalledTimes(2);
  expect(client.find.mock.calls).toEqual([["x"], ["y"]]);
  expect(client.find.mock.contexts[0]).toBe(client);
  expect(client.find.getMockName()).toBe("Client.find");
  client.find.mockReset();
  expect(client.find).not.toHaveBeenCalled();
});

test("a token's mock grows at any depth, and the same member is the same mock", () => {
  const mailer = mockOfKey(MAILER);
  mailer.folder.list.mockReturnValue(["inbox"]);
  expect(mailer.folder.list()).toEqual(["inbox"]);
  expect(mailer.folder.list).toBe(mailer.folder.list);
  expect(mailer.send.getMockName()).toBe("MAILER.send");
  expect(mailer.send).not.toHaveBeenCalled();
});

test("a token of a function has a mock that can be called", () => {
  const now = mockOfKey(NOW);
  now.mockReturnValue(5);
  expect(now()).toBe(5);
  expect(now).toHaveBeenCalledOnce();
});

test("an interface may have members by the names that functions have", () => {
  interface Remote {
    call(method: string): string;
    apply(): string;
    bind(): string;
    name: string;
    length: number;
  }
  const remote = mockOfKey(token<Remote>("REMOTE"));
  remote.call.mockReturnValue("called");
  remote.name = "far";
  expect(remote.call("x")).toBe("called");
  expect(remote.call).toHaveBeenCalledExactlyOnceWith("x");
  expect(remote.apply.mockReturnValue("a")()).toBe("a");
  expect(remote.name).toBe("far");
});

test("a member can be set to a value", () => {
  const issues = mockOfKey(Issues);
  const find = (): string[] => ["fixed"];
  (issues as { find: unknown }).find = find;
  expect(issues.find).toBe(find);
});

test.each([
  ["class", () => mockOfKey(Client)],
  ["token", () => mockOfKey(MAILER)],
])("the mock of a %s can be awaited, printed and compared", async (_what, make) => {
  const mock: unknown = make();
  expect(await (async () => mock)()).toBe(mock);
  expect(inspect(mock)).toBeTypeOf("string");
  expect(JSON.stringify({ mock })).toBeTypeOf("string");
  expect({ mock }).toEqual({ mock });
  expect(() => expect({ mock }).toEqual({ mock: 5 })).toThrow(/expected/);
});

test("two mocks of one key know nothing of each other", () => {
  const [one, other] = [mockOfKey(Client), mockOfKey(Client)];
  one.close();
  expect(one.close).toHaveBeenCalledOnce();
  expect(other.close).not.toHaveBeenCalled();
});
