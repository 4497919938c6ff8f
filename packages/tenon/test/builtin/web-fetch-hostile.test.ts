import { createServer } from "node:http";
import { toolOf } from "tenon";
import { webFetch } from "tenon/tools/web-fetch";
import { describe, expect, test } from "vitest";
import { listen, messageOf, openWorld, PUBLIC, type Names } from "./web-fetch-world.js";

/** Hosts that lead inside, in every spelling. */
const hosts = [
  // This machine, in IPv4.
  "127.0.0.1",
  "127.0.0.1.",
  "127.1",
  "127.0.1",
  "127.255.255.254",
  "2130706433",
  "0x7f000001",
  "0x7f.1",
  "0X7F.0x0.0x0.0x1",
  "0177.0.0.1",
  "0177.0.0.01",
  "017700000001",
  "0",
  "0.0.0.0",
  "0x0",
  "１２７.０.０.１",
  "①②⑦.⓪.⓪.①",
  "127。0。0。1",
  "%31%32%37.0.0.1",
  "127.0.0%2e1",
  // Private networks.
  "10.0.0.1",
  "10.1",
  "167772161",
  "172.16.0.1",
  "172.31.255.255",
  "0xac100001",
  "192.168.0.1",
  "192.168.257",
  "3232235777",
  "0300.0250.1.1",
  // Shared, reserved, for documents, for benchmarks, for many.
  "100.64.0.1",
  "100.127.255.254",
  "192.0.0.8",
  "192.0.2.1",
  "192.88.99.1",
  "198.18.0.1",
  "198.19.255.255",
  "198.51.100.7",
  "203.0.113.7",
  "224.0.0.1",
  "239.255.255.250",
  "240.0.0.1",
  "255.255.255.255",
  // What clouds tell their machines.
  "169.254.169.254",
  "2852039166",
  "0xa9fea9fe",
  "0251.0376.0251.0376",
  "169.254.43518",
  "169.254.170.2",
  "100.100.100.200",
  "192.0.0.192",
  "168.63.129.16",
  "[fd00:ec2::254]",
  // IPv6: this machine, links, sites, many.
  "[::1]",
  "[0:0:0:0:0:0:0:1]",
  "[0000:0000::0001]",
  "[::]",
  "[fe80::1]",
  "[febf::1]",
  "[fec0::1]",
  "[fc00::1]",
  "[fd12:3456:789a::1]",
  "[ff02::1]",
  "[ff0e::1]",
  "[100::1]",
  "[2001:db8::1]",
  "[3fff::1]",
  "[5f00::1]",
  "[2001:2::1]",
  "[2001:20::1]",
  // IPv6 that holds IPv4.
  "[::ffff:127.0.0.1]",
  "[::ffff:7f00:1]",
  "[::ffff:169.254.169.254]",
  "[::ffff:8.8.8.8]",
  "[::127.0.0.1]",
  "[::7f00:1]",
  "[::ffff:0:127.0.0.1]",
  "[64:ff9b::127.0.0.1]",
  "[64:ff9b::a9fe:a9fe]",
  "[64:ff9b::808:808]",
  "[64:ff9b:1::a00:1]",
  "[2002:7f00:1::]",
  "[2002:a9fe:a9fe::1]",
  "[2001:0:7f00:1::1]",
  // Names.
  "localhost",
  "LOCALHOST",
  "localhost.",
  "ｌｏｃａｌｈｏｓｔ",
  "a.localhost",
  "localhost..",
  "a.localhost%2e.",
  "localhost%2E%2e",
  "wiki.internal..",
  "wiki.internal...",
  "wiki..internal",
  "site.example..",
  "localhost.localdomain",
  "ip6-loopback",
  "intranet",
  "metadata",
  "printer.local",
  "metadata.google.internal",
  "METADATA.GOOGLE.INTERNAL.",
  "router.lan",
  "nas.home.arpa",
  "1.0.0.127.in-addr.arpa",
] as const;

/** Whole URLs that are no page of the public internet. */
const urls = [
  "https://127.0.0.1/",
  "http:127.0.0.1",
  "http:///127.0.0.1/",
  "http:\\\\127.0.0.1\\",
  "HTTP://127.1/",
  " http://127.0.0.1/ ",
  "ht\ntp://127.0.0.1/",
  "http://127.0\t.0.1/",
  "http://site.example@127.0.0.1/",
  "http://site.example:80@127.0.0.1/",
  "http://127.0.0.1#@site.example/",
  "http://127.0.0.1?@site.example/",
  "http://127.0.0.1\\@site.example/",
  "http://user@site.example/",
  "http://user:password@site.example/",
  "http://:password@site.example/",
  "http://site.example:22/",
  "http://site.example:6379/",
  "http://site.example:8080/",
  "http://site.example:0/",
  "http://site.example:65536/",
  "http://[fe80::1%25eth0]/",
  "http://[::1/",
  "http://127.0.0.256/",
  "http://127.0.0.1%00.site.example/",
  "http://site.example%2f@127.0.0.1/",
  "http://site.example%00/",
  "http://site example/",
  "http://",
  "//127.0.0.1/",
  "/etc/passwd",
  "127.0.0.1",
  "localhost:80",
  "file:///etc/passwd",
  "file://127.0.0.1/etc/passwd",
  "ftp://site.example/",
  "gopher://127.0.0.1:6379/_INFO",
  "dict://127.0.0.1:11211/stats",
  "data:text/html,<p>hello</p>",
  "javascript:fetch('http://127.0.0.1')",
  "blob:http://site.example/1",
  "ws://site.example/",
  "view-source:http://127.0.0.1/",
  "jar:http://127.0.0.1!/",
  "unix:/var/run/docker.sock",
] as const;

/** Names of the public internet whose answers lead inside. */
const names: Names = {
  "site.example": [PUBLIC],
  "private.example": ["10.0.0.5"],
  "loopback.example": ["127.0.0.1"],
  "any.example": ["0.0.0.0"],
  "metadata.example": ["169.254.169.254"],
  "shared.example": ["100.64.1.1"],
  "six.example": ["::1"],
  "local-six.example": ["fd00::7"],
  "zone.example": ["fe80::1%eth0"],
  "zoned-public.example": ["2606:2800:21f::1%eth0"],
  "mapped.example": ["::ffff:10.0.0.1"],
  "nat64.example": ["64:ff9b::a00:1"],
  "mixed.example": [PUBLIC, "192.168.1.1"],
  "mixed-six.example": ["2606:2800:21f::1", "::1"],
  "odd.example": ["0x7f.1"],
  "number.example": ["2130706433"],
  "text.example": ["localhost"],
  "no-text.example": [""],
  "none.example": [],
};
const leadInside = Object.keys(names).filter((name) => name !== "site.example");

const never = (): void => expect.unreachable("a request came through");

describe("nothing is connected to", () => {
  test.each(hosts)("http://%s/", async (host) => {
    const world = await openWorld(never, { ...names, [host]: [PUBLIC] });
    for (const url of [`http://${host}/`, `https://${host}/x?y#z`, `http://${host}:80/latest/meta-data/`]) {
      expect(messageOf(await world.fetch({ url })), url).toMatch(
        /is not a public address, so it was not asked|is no absolute URL/,
      );
    }
    expect(world.connected).toEqual([]);
    expect(world.lookedUp).toEqual([]);
  });

  test.each(urls.map((url) => [url] as const))("%j", async (url) => {
    const world = await openWorld(never, names);
    expect(messageOf(await world.fetch({ url }))).toMatch(/so it was not (fetched|asked)/);
    expect(world.connected).toEqual([]);
    expect(world.lookedUp).toEqual([]);
  });

  test.each([...leadInside, "nowhere.example"])("http://%s/, which is looked up once", async (host) => {
    const world = await openWorld(never, names);
    const message = messageOf(await world.fetch({ url: `http://${host}/` }));
    expect(message).toMatch(/is not a public address, so it was not asked|has no address/);
    // The model does not learn what is inside.
    expect(message).not.toMatch(/\d+\.\d+\.\d+\.\d+|::/);
    expect(world.connected).toEqual([]);
    expect(world.lookedUp).toEqual([host]);
  });

  test("what is no text of a URL", async () => {
    const world = await openWorld(never, names);
    for (const url of ["", 1, null, ["http://site.example/"], `http://site.example/${"x".repeat(2_000)}`])
      expect(await world.fetch({ url })).toMatchObject({ kind: "error", code: "invalid_input" });
    expect(await world.fetch({ url: "http://site.example/", allowHosts: ["127.0.0.1"] })).toMatchObject({
      code: "invalid_input",
    });
    expect(world.connected).toEqual([]);
  });
});

describe("a redirect", () => {
  const inside = [
    ...hosts.map((host) => `http://${host}/`),
    // `http:127.0.0.1` is a path where there is a base.
    ...urls.filter((url) => /^\s*(\w+:|\/\/127)/.test(url) && url !== "localhost:80" && url !== "http:127.0.0.1"),
    ...leadInside.map((host) => `http://${host}/`),
    "\\\\127.0.0.1\\",
    "//169.254.169.254/latest/meta-data/",
    "//user@site.example/",
  ].filter((url) => /^[\x20-\x7e]*$/.test(url));

  test.each(inside.map((url) => [url] as const))("to %j is not followed", async (location) => {
    const world = await openWorld(
      (request, response) => response.writeHead(request.url === "/" ? 302 : 200, { location }).end(),
      names,
    );
    const result = await world.fetch({ url: "http://site.example/" });
    expect(result.kind).toBe("error");
    expect(world.connected.map(({ addresses }) => addresses)).toEqual([[PUBLIC]]);
    expect(world.requests).toHaveLength(1);
  });

  test.each([301, 302, 303, 307, 308])(
    "with status %i goes where it leads, and is checked at every step",
    async (status) => {
      const world = await openWorld((request, response) => {
        const to = { "/": "/two", "/two": "/three", "/three": "http://private.example/" }[request.url!];
        // The body of a redirect is not waited for.
        response.writeHead(status, to === undefined ? {} : { location: to }).write("moved");
      }, names);
      expect(messageOf(await world.fetch({ url: "http://site.example/" }))).toBe(
        "private.example is not a public address, so it was not asked. Use a page of the public internet",
      );
      expect(world.requests.map(({ path }) => path)).toEqual(["/", "/two", "/three"]);
      // Each hop is looked up and pinned by itself.
      expect(world.lookedUp).toEqual(["site.example", "site.example", "site.example", "private.example"]);
      expect(world.connected).toHaveLength(3);
    },
  );

  test("that goes round is given up after five", async () => {
    const world = await openWorld((_, response, n) => response.writeHead(302, { location: `/${n}` }).end(), names);
    expect(messageOf(await world.fetch({ url: "http://site.example/" }))).toBe(
      "site.example redirects once more after 5 redirects: they are not followed further",
    );
    expect(world.requests).toHaveLength(6);
    const none = await openWorld((_, response) => response.writeHead(302, { location: "/" }).end(), names, {
      maxRedirects: 0,
    });
    expect((await none.fetch({ url: "http://site.example/" })).kind).toBe("error");
    expect(none.requests).toHaveLength(1);
  });
});

describe("a resolver that answers otherwise the second time", () => {
  test("changes nothing: a request goes to what was found and checked", async () => {
    const answers = [[PUBLIC], ["127.0.0.1"]];
    const world = await openWorld((_, response) => response.setHeader("content-type", "text/plain").end("hello"), {
      "rebind.example": () => answers.shift()!,
    });
    expect(await world.fetch({ url: "http://rebind.example/" })).toMatchObject({ value: { text: "hello" } });
    expect(world.lookedUp).toEqual(["rebind.example"]);
    expect(world.connected).toEqual([{ host: "rebind.example", port: 80, addresses: [PUBLIC] }]);
  });

  test.each([
    ["a redirect to itself", 302, { location: "/again" }],
    ["a second attempt", 503, { "retry-after": "1" }],
  ])("is caught by %s", async (_, status, headers) => {
    const answers = [[PUBLIC], ["127.0.0.1"]];
    const world = await openWorld((__, response) => response.writeHead(status, headers).end(), {
      "rebind.example": () => answers.shift()!,
    });
    expect(messageOf(await world.fetch({ url: "http://rebind.example/" }))).toMatch(/is not a public address/);
    expect(world.connected.map(({ addresses }) => addresses)).toEqual([[PUBLIC]]);
  });
});

test("with the real resolver and real connections, a server on this machine hears nothing", async () => {
  const four = await listen(createServer(never));
  const six = await listen(createServer(never), "::1").catch(() => undefined);
  const port = four.port;
  const ports = [port, ...(six === undefined ? [] : [six.port])];
  const tool = toolOf(webFetch, undefined, { ports });
  const here = hosts.filter((host) => /127|^0|^\[|0x7f|2130|LOCAL|local|loopback|①/i.test(host));
  for (const host of here) {
    for (const at of ports) {
      const result = await tool.invoke({ url: `http://${host}:${at}/` });
      expect(result, `${host}:${at}`).toMatchObject({ kind: "error", code: "tool_error" });
    }
  }
  expect(here.length).toBeGreaterThan(40);
  expect(four.connections()).toBe(0);
  expect(six?.connections() ?? 0).toBe(0);
});

test("a backslash before an @ hides no host: the public one is asked", async () => {
  const world = await openWorld((_, response) => response.setHeader("content-type", "text/plain").end("x"), names);
  expect(await world.fetch({ url: "http://site.example\\@127.0.0.1/" })).toMatchObject({
    value: { url: "http://site.example/@127.0.0.1/" },
  });
  expect(world.connected).toEqual([{ host: "site.example", port: 80, addresses: [PUBLIC] }]);
});
