import { execFile } from "node:child_process";
import { readFileSync } from "node:fs";
import { createServer } from "node:http";
import { createServer as createSecureServer } from "node:https";
import { createServer as createTcpServer } from "node:net";
import { join, resolve } from "node:path";
import { getCACertificates, setDefaultCACertificates } from "node:tls";
import { promisify } from "node:util";
import { brotliCompressSync, constants, deflateSync, gzipSync } from "node:zlib";
import { createApp, defineAgent, provide, toolOf, type AgentOptions } from "tenon";
import { callTool, replyWith, scriptedModel, testWith } from "tenon/testing";
import { WEB_FETCH_SETTINGS, webFetch, type WebFetchSettings } from "tenon/tools/web-fetch";
import { describe, expect, onTestFinished, test } from "vitest";
import { htmlMarkdown } from "../../src/builtin/web-fetch/html-markdown.js";
import { listen, messageOf, open, openWorld, PUBLIC, type World } from "./web-fetch-world.js";

const names = { "site.example": [PUBLIC, "2606:2800:21f::1"] };
const url = "http://site.example/page";

/** What comes of a body that the site sends. */
function sent(
  body: string | Uint8Array,
  type: string | undefined = "text/plain",
  headers: Readonly<Record<string, string>> = {},
  more: Parameters<typeof openWorld>[2] = {},
): Promise<World> {
  return openWorld(
    (_, response) =>
      response.writeHead(200, { ...(type === undefined ? {} : { "content-type": type }), ...headers }).end(body),
    names,
    more,
  );
}

async function textOf(world: Promise<World>): Promise<string | undefined> {
  const result = await (await world).fetch({ url });
  return result.kind === "ok" ? result.value.text : result.message;
}

describe("a page", () => {
  test("of HTML is Markdown, with whole links and without what is not to be read", async () => {
    const html = `<!doctype html><html><head><title>Joints &amp;
      tenons</title><base href="/docs/"><style>p {}</style><script>alert("<p>no</p>")</script></head><body>
      <nav><a href="/">Home</a></nav><h1>Head <em>one</em></h1>
      <p>See <a href="page.html">this</a>, <a href="javascript:alert(1)">that</a>, <a href=" data:text/html,x">those</a>.</p>
      <p><img src="/i.png" alt="a drawing"><img src="/pixel.png"><img src="data:image/png;base64,AAAA" alt="inline"></p>
      <p hidden>hidden one</p><p style="display : none">hidden two</p><div style="visibility:hidden"><p>hidden three</p></div>
      <!-- a comment --><template>a template</template><svg><title>drawn</title></svg><button>Buy</button>
      <table><tr><th>a|b</th><th>c</th></tr><tr><td>1</td><td>2</td></tr></table>
      <ol><li>one<ul><li>two</li></ul></li></ol><pre><code class="language-ts">let x = "&lt;b>";
</code></pre><p>a &lt;script&gt; caf&eacute;</p></body></html>`;
    const world = await sent(html, "text/html; charset=utf-8");
    expect(await world.fetch({ url })).toEqual({
      kind: "ok",
      value: {
        url,
        title: "Joints & tenons",
        mediaType: "text/html",
        text: [
          "[Home](http://site.example/)",
          "# Head *one*",
          "See [this](http://site.example/docs/page.html), that, those.",
          "![a drawing](http://site.example/i.png)",
          "| a\\|b | c |\n| --- | --- |\n| 1 | 2 |",
          "1. one\n   - two",
          '```ts\nlet x = "<b>";\n```',
          "a \\<script> café",
        ].join("\n\n"),
        totalChars: 244,
      },
    });
    expect(world.requests[0]).toMatchObject({
      host: "site.example",
      path: "/page",
      headers: { "user-agent": "tenon", "accept-encoding": "gzip, br", connection: "close" },
    });
    expect(Object.keys(world.requests[0]!.headers).sort()).toEqual([
      "accept",
      "accept-encoding",
      "connection",
      "host",
      "user-agent",
    ]);
  });

  test.each([
    ["text/plain", "a < b"],
    ["text/markdown; charset=UTF-8", "# a"],
    ["TEXT/CSV", "1,2"],
    ["application/json", '{"a":1}'],
    ["application/ld+json;charset=utf-8", "{}"],
    ["application/xml", "<a/>"],
    ["application/rss+xml", "<rss/>"],
  ])("of %s stays as it is", async (type, body) => {
    const world = await sent(body, type);
    expect(await world.fetch({ url: `${url}#part` })).toEqual({
      kind: "ok",
      value: { url, mediaType: type.split(";")[0]!.toLowerCase(), text: body, totalChars: body.length },
    });
  });

  test.each([
    ["image/png", "image/png"],
    ["application/pdf", "application/pdf"],
    ["application/octet-stream", "application/octet-stream"],
    ["application/x  json; charset=utf-8", "application/x json"],
    ["", "no content type"],
    [undefined, "no content type"],
  ])("of type %j is an error that names it", async (type, named) => {
    const world = await openWorld((_, response) => {
      if (type !== undefined) response.setHeader("content-type", type);
      response.end("PNG");
    }, names);
    expect(messageOf(await world.fetch({ url }))).toBe(
      `site.example sent ${named}, which is not read as text. Only HTML, text, Markdown, JSON and XML are`,
    );
  });

  test("is read part by part, and no character is cut in two", async () => {
    const text = `${"a".repeat(99)}😀${"b".repeat(150)}`;
    const world = await sent(text);
    const parts: string[] = [];
    for (let offset: number | undefined = 0; offset !== undefined;) {
      const result = await world.fetch({ url, limit: 100, offset });
      if (result.kind === "error") throw new Error(result.message);
      expect(result.value).toMatchObject({ totalChars: 251 });
      parts.push(result.value.text);
      offset = result.value.nextOffset;
    }
    expect(parts.map((part) => part.length)).toEqual([99, 100, 52]);
    expect(parts.join("")).toBe(text);
    expect(await world.fetch({ url, offset: 100 })).toMatchObject({ value: { text: `😀${"b".repeat(150)}` } });
    expect(messageOf(await world.fetch({ url, offset: 251 }))).toBe(
      "The text of this page has 251 characters: there is nothing at offset 251",
    );
    expect(await (await sent("")).fetch({ url })).toMatchObject({ value: { text: "", totalChars: 0 } });
  });

  test.each([[99], [20_001], [0], [-1], [1.5], ["many"]])("is not read with a limit of %j", async (limit) => {
    const world = await sent("x");
    expect(await world.fetch({ url, limit })).toMatchObject({ kind: "error", code: "invalid_input" });
    expect(await world.fetch({ url, offset: -1 })).toMatchObject({ kind: "error", code: "invalid_input" });
    expect(world.requests).toEqual([]);
  });
});

describe("the charset", () => {
  const latin = Buffer.from("caf\xe9", "latin1");
  test.each<[string, Uint8Array, string, string]>([
    ["of the content type", latin, "text/plain; charset=ISO-8859-1", "café"],
    ["in quotes", latin, 'text/plain; boundary=x; Charset="latin1"', "café"],
    ["of a byte order mark first", Buffer.from("\ufeffcafé"), "text/plain; charset=latin1", "café"],
    ["of UTF-16 by its mark", Buffer.from("\ufeffcafé", "utf16le"), "text/plain", "café"],
    ["of UTF-16, the other way round", Buffer.from("\ufeffcafé", "utf16le").swap16(), "text/plain", "café"],
    ["of a page's head", Buffer.concat([Buffer.from("<meta charset='windows-1252'><p>"), latin]), "text/html", "café"],
    [
      "of an older page's head",
      Buffer.concat([Buffer.from('<meta http-equiv=x content="text/html; charset=latin1"><p>'), latin]),
      "text/html",
      "café",
    ],
    ["that cannot be", Buffer.from("<meta charset=utf-16><p>café"), "text/html", "café"],
    ["that nobody knows", Buffer.from("café"), "text/plain; charset=x-none", "café"],
    [
      "of a text is not looked for in it",
      Buffer.from("<meta charset=latin1>é"),
      "text/plain",
      "<meta charset=latin1>é",
    ],
    ["with bytes that fit nothing", latin, "text/plain", "caf\ufffd"],
    ["of Japanese", Buffer.from([0x83, 0x65]), "text/plain; charset=shift_jis", "テ"],
  ])("%s", async (_, body, type, text) => {
    expect(await textOf(sent(body, type))).toBe(text);
  });
});

describe("a body", () => {
  test.each([
    ["gzip", gzipSync("hello")],
    ["x-gzip", gzipSync("hello")],
    ["GZIP ", gzipSync("hello")],
    ["br", brotliCompressSync("hello")],
    ["deflate", deflateSync("hello")],
    ["identity", Buffer.from("hello")],
  ])("in %s is read", async (encoding, body) => {
    expect(await textOf(sent(body, "text/plain", { "content-encoding": encoding }))).toBe("hello");
  });

  test.each([
    ["an encoding that nobody asked for", "zstd", gzipSync("x"), /encoding that is not read: zstd$/],
    ["two encodings", "gzip, br", gzipSync("x"), /encoding that is not read: gzip, br$/],
    ["a member of every object", "constructor", gzipSync("x"), /encoding that is not read: constructor$/],
    ["what is not what it says", "gzip", Buffer.from("plain"), /broke off its answer \(Z_DATA_ERROR\)$/],
    ["half of it", "gzip", gzipSync("hello ".repeat(100)).subarray(0, 20), /broke off its answer \(Z_BUF_ERROR\)$/],
  ])("with %s is an error", async (_, encoding, body, message) => {
    expect(await textOf(sent(body, "text/plain", { "content-encoding": encoding }))).toMatch(message);
  });

  test("over the cap is an error and is not read to its end", async () => {
    const limit = { maxBytes: 100_000 };
    const over = "site.example sent more than 100000 bytes. It cannot be read: look for a smaller page";
    expect(await textOf(sent("x".repeat(100_001), "text/plain", {}, limit))).toBe(over);
    expect(await textOf(sent("x".repeat(100_000), "text/plain", {}, limit))).toHaveLength(10_000);
    for (const encoding of ["gzip", "br"]) {
      const zeros = Buffer.alloc(2_000_000);
      const fast = { params: { [constants.BROTLI_PARAM_QUALITY]: 1 } };
      const bomb = encoding === "gzip" ? gzipSync(zeros) : brotliCompressSync(zeros, fast);
      expect(bomb.byteLength).toBeLessThan(10_000);
      expect(await textOf(sent(bomb, "text/plain", { "content-encoding": encoding }, limit))).toBe(over);
    }
    // Much that is read, and nothing that comes out.
    const empty = Buffer.concat(Array.from<Buffer>({ length: 10_000 }).fill(gzipSync("")));
    expect(await textOf(sent(empty, "text/plain", { "content-encoding": "gzip" }, limit))).toBe(over);
    let closed = false;
    const endless = await openWorld(
      (_, response) => {
        response.setHeader("content-type", "text/plain");
        const more = (): void => void (closed || (response.write("x".repeat(50_000)) && setImmediate(more)));
        response.on("drain", more).on("close", () => (closed = true));
        more();
      },
      names,
      limit,
    );
    expect(messageOf(await endless.fetch({ url }))).toBe(over);
    await expect.poll(() => closed).toBe(true);
  });

  test.each<[string, (response: import("node:http").ServerResponse) => void]>([
    [
      "a length",
      (response) => response.writeHead(200, { "content-type": "text/plain", "content-length": 9 }).write("x"),
    ],
    ["chunks", (response) => response.writeHead(200, { "content-type": "text/html" }).write("<p>x")],
    ["nothing", () => {}],
  ])("that is cut off after %s is an error", async (_, start) => {
    const world = await openWorld((__, response) => {
      start(response);
      setImmediate(() => response.destroy());
    }, names);
    expect(messageOf(await world.fetch({ url }))).toMatch(
      /^site\.example could not be reached, or broke off its answer \(ECONNRESET\)$/,
    );
  });
});

describe("a site that does not answer with a page", () => {
  test.each([
    [404, "site.example answered with status 404: there is no such page"],
    [401, "site.example answered with status 401: it does not show this page to everybody"],
    [400, "site.example answered with status 400"],
    [204, "site.example answered with status 204"],
    [304, "site.example answered with status 304"],
    [302, "site.example answered with status 302"],
    [101, "site.example answered with status 101"],
  ])("with status %i", async (status, message) => {
    const world = await openWorld(
      (_, response) => response.writeHead(status, status === 101 ? { upgrade: "x" } : {}).end(),
      names,
    );
    expect(messageOf(await world.fetch({ url }))).toBe(message);
    expect(world.requests).toHaveLength(1);
  });

  test("for now is asked again, as long after as it says", async () => {
    const world = await openWorld((_, response, n) => {
      if (n === 1) response.writeHead(429, { "retry-after": "2" }).end();
      else if (n === 2) response.writeHead(503).end();
      else response.setHeader("content-type", "text/plain").end("now");
    }, names);
    expect(await world.fetch({ url })).toMatchObject({ value: { text: "now" } });
    expect(world.waits[0]).toBeGreaterThanOrEqual(2_000);
    expect(world.waits).toHaveLength(2);
    expect(world.lookedUp).toHaveLength(3);
  });

  test.each([
    ["again and again", 500, {}, 3],
    ["for longer than the call has", 429, { "retry-after": "3600" }, 1],
  ])("%s is given up", async (_, status, headers, requests) => {
    const world = await openWorld((__, response) => response.writeHead(status, headers).end(), names);
    expect(messageOf(await world.fetch({ url }))).toBe(
      `site.example answered with status ${status}. Try later, or do without`,
    );
    expect(world.requests).toHaveLength(requests);
  });

  test("at all is left when the call ends, and so is its connection", async () => {
    let closed = false;
    const stop = new AbortController();
    const world = await openWorld((request) => {
      request.socket.on("close", () => (closed = true));
      stop.abort();
    }, names);
    const result = await toolOf(webFetch, undefined, world.settings).invoke({ url }, { signal: stop.signal });
    expect(result).toMatchObject({ kind: "error", code: "cancelled" });
    await expect.poll(() => closed).toBe(true);
  });

  test("and a resolver that does not either", async () => {
    const stop = new AbortController();
    const settings: WebFetchSettings = {
      resolve: () => {
        setImmediate(() => stop.abort());
        return new Promise(() => {});
      },
      connect: async () => expect.unreachable(),
    };
    expect(await toolOf(webFetch, undefined, settings).invoke({ url }, { signal: stop.signal })).toMatchObject({
      code: "cancelled",
    });
  });

  test("because nobody listens there", async () => {
    const server = createServer();
    const { port } = await listen(server);
    server.close();
    const settings = { allowHosts: [`127.0.0.1:${port}`] };
    expect(messageOf(await toolOf(webFetch, undefined, settings).invoke({ url: `http://127.0.0.1:${port}/` }))).toBe(
      "127.0.0.1 could not be reached, or broke off its answer (ECONNREFUSED)",
    );
  });
});

describe("what the app allows", () => {
  const hello = () =>
    listen(createServer((_, response) => response.setHeader("content-type", "text/plain").end("hello")));

  test("a host on one port, by the real connector", async () => {
    const { port, connections } = await hello();
    const tool = toolOf(webFetch, undefined, { allowHosts: [`127.0.0.1:${port}`] });
    expect(await tool.invoke({ url: `http://127.0.0.1:${port}/` })).toMatchObject({ value: { text: "hello" } });
    // The same host in another spelling is the same host; another one, or another port, is not.
    expect(await tool.invoke({ url: `http://127.1:${port}/` })).toMatchObject({ value: { text: "hello" } });
    for (const other of [`127.0.0.2:${port}`, `localhost:${port}`, "127.0.0.1", "127.0.0.1:443", `[::1]:${port}`])
      expect(messageOf(await tool.invoke({ url: `http://${other}/` })), other).toMatch(/so it was not/);
    expect(connections()).toBe(2);
  });

  test("a name, wherever it leads, is connected to what was found", async () => {
    const { port } = await hello();
    const settings: WebFetchSettings = {
      allowHosts: ["wiki.internal"],
      ports: [port],
      resolve: async () => ["127.0.0.1"],
    };
    const tool = toolOf(webFetch, undefined, settings);
    expect(await tool.invoke({ url: `http://wiki.internal:${port}/` })).toMatchObject({ value: { text: "hello" } });
    expect(messageOf(await tool.invoke({ url: "http://wiki.internal/" }))).toMatch(/asks for port 80/);
    expect(messageOf(await tool.invoke({ url: `http://other.internal:${port}/` }))).toMatch(/not a public address/);
    // Another public name that leads there is not that name.
    expect(messageOf(await tool.invoke({ url: `http://site.example:${port}/` }))).toMatch(/not a public address/);
  });

  test.each(["[::1]:8080", "::1", "[fd00::7]", "10.0.0.7:80", "WIKI.internal", "wiki.internal:8443"])(
    "%s is a host",
    async (entry) => {
      const world = await openWorld(
        (_, response) => response.setHeader("content-type", "text/plain").end("x"),
        {
          "wiki.internal": ["10.0.0.7"],
        },
        { allowHosts: [entry] },
      );
      const host = entry === "::1" ? "[::1]" : entry.toLowerCase();
      expect((await world.fetch({ url: `http://${host}/` })).kind).toBe("ok");
    },
  );

  test.each(["http://wiki.internal", "wiki.internal/", "user@wiki.internal", "", "*", "10.0.0.0/8", "a b"])(
    "%j is no host",
    (entry) => {
      expect(() => toolOf(webFetch, {}, { allowHosts: ["wiki.internal", entry] })).toThrow(
        `WEB_FETCH_SETTINGS: allowHosts[1] must be a name or an address, with a port if you like ("10.0.0.7:8080"), not ${JSON.stringify(entry)}`,
      );
    },
  );

  test("a converter of its own, and a user agent", async () => {
    const world = await sent(
      "<p>x",
      "text/html",
      {},
      {
        toMarkdown: async (html, from) => `${html} of ${from.href}`,
        userAgent: "shop-bot/1.0",
      },
    );
    expect(await world.fetch({ url })).toMatchObject({ value: { text: `<p>x of ${url}` } });
    expect(world.requests[0]!.headers["user-agent"]).toBe("shop-bot/1.0");
  });
});

describe("a site with TLS", () => {
  const fixture = (name: string): string => readFileSync(join(import.meta.dirname, "fixtures", name), "utf8");
  const cert = fixture("site-example.pem");

  async function secureWorld(): Promise<ReturnType<typeof toolOf<typeof webFetch>>> {
    const server = createSecureServer({ key: fixture("site-example-key.pem"), cert }, (request, response) =>
      response.setHeader("content-type", "text/plain").end(`hello ${request.headers.host}`),
    );
    const { port } = await listen(server);
    return toolOf(webFetch, undefined, {
      resolve: async () => [PUBLIC],
      connect: () => open(port),
    } satisfies WebFetchSettings);
  }

  test("is held to a certificate that is trusted, and is its own", async () => {
    const tool = await secureWorld();
    expect(messageOf(await tool.invoke({ url: "https://site.example/" }))).toBe(
      "site.example could not be reached, or broke off its answer (DEPTH_ZERO_SELF_SIGNED_CERT)",
    );
    const before = getCACertificates("default");
    setDefaultCACertificates([...before, cert]);
    onTestFinished(() => setDefaultCACertificates(before));
    for (const host of ["site.example", "site.example.", PUBLIC])
      expect(await tool.invoke({ url: `https://${host}/` })).toMatchObject({ value: { text: `hello ${host}` } });
    for (const host of ["other.example", "8.8.8.8"])
      expect(messageOf(await tool.invoke({ url: `https://${host}/` }))).toBe(
        `${host} could not be reached, or broke off its answer (ERR_TLS_CERT_ALTNAME_INVALID)`,
      );
  });

  test("that breaks off, or is left, before it has spoken, holds no call and no process", async () => {
    const stops: AbortController[] = [];
    const server = createTcpServer((socket) => {
      socket.on("error", () => {});
      const stop = stops.pop();
      if (stop === undefined) socket.resetAndDestroy();
      else socket.once("data", () => stop.abort());
    });
    const { port } = await listen(server);
    const tool = toolOf(webFetch, undefined, { allowHosts: [`127.0.0.1:${port}`] });
    const input = { url: `https://127.0.0.1:${port}/` };
    for (let i = 0; i < 20; i++) {
      const stop = new AbortController();
      stops.push(stop);
      expect(await tool.invoke(input, { signal: stop.signal })).toMatchObject({ code: "cancelled" });
    }
    // A handler that went on would make the tool busy.
    expect(messageOf(await tool.invoke(input))).toMatch(/broke off its answer \(ECONNRESET\)$/);
  });

  test("that speaks no TLS is an error", async () => {
    const world = await openWorld(() => {}, names);
    expect(messageOf(await world.fetch({ url: "https://site.example/" }))).toMatch(/could not be reached/);
  });
});

test("no proxy of the environment is used", async () => {
  const proxy = await listen(createServer((_, response) => response.end("proxy")));
  const site = await listen(
    createServer((_, response) => response.setHeader("content-type", "text/plain").end("direct")),
  );
  const script = `
    import { toolOf } from "tenon";
    import { webFetch } from "tenon/tools/web-fetch";
    const tool = toolOf(webFetch, undefined, { allowHosts: ["127.0.0.1:${site.port}"] });
    console.log(JSON.stringify(await tool.invoke({ url: "http://127.0.0.1:${site.port}/" })));`;
  const at = `http://127.0.0.1:${proxy.port}`;
  const { stdout } = await promisify(execFile)(process.execPath, ["--input-type=module", "--eval", script], {
    cwd: resolve(import.meta.dirname, "../.."),
    env: { NODE_USE_ENV_PROXY: "1", HTTP_PROXY: at, HTTPS_PROXY: at, http_proxy: at, ALL_PROXY: at },
  });
  expect(JSON.parse(stdout)).toMatchObject({ value: { text: "direct" } });
  expect(proxy.connections()).toBe(0);
});

describe("the Markdown of a hostile page", () => {
  const page = new URL(url);
  const { signal } = new AbortController();
  test.each([
    ["elements in elements", "<div>".repeat(20_000)],
    ["quotes in quotes", "<blockquote>".repeat(5_000)],
    ["lists in lists", "<ul><li>".repeat(20_000)],
    ["tables in tables", "<table><tr><td>".repeat(10_000)],
    ["links in links", "<a href=x>".repeat(5_000)],
    ["brackets that open nothing", "<".repeat(200_000)],
    ["references to nothing", "&".repeat(200_000)],
    ["a tag without an end", `<a href="${"x".repeat(200_000)}`],
    ["a thousand attributes", `<p ${"a=b ".repeat(50_000)}>`],
    ["line breaks", "<br>".repeat(50_000)],
    ["nothing at all", ""],
  ])("with %s is made all the same", async (_, html) => {
    const { text } = await htmlMarkdown(html, page, { signal });
    expect(text.length).toBeLessThan(2 * html.length + 200_000);
  });

  test("has a title of a few words at most", async () => {
    const { title } = await htmlMarkdown(`<title>${"long ".repeat(10_000)}</title><p>x`, page, { signal });
    expect(title!.length).toBeLessThan(700);
    expect(await htmlMarkdown("<title> </title><p>x", page, { signal })).toEqual({ title: undefined, text: "x" });
  });

  test("whose base names itself again and again has the first one", async () => {
    const html = "<base target=_top>" + "<base href='a/'><a href=x>y</a> ".repeat(2_000);
    const { text } = await htmlMarkdown(html, page, { signal });
    expect(new Set(text.match(/\(.*?\)/g))).toEqual(new Set(["(http://site.example/a/x)"]));
  });

  test("does not grow by its links without end: one too long, and those beyond a total, are their words", async () => {
    const long = await htmlMarkdown(
      `<base href="/${"b".repeat(3_000)}/"><a href=x>y</a> <a href="/${"z".repeat(2_000)}">w</a>`,
      page,
      { signal },
    );
    expect(long.text).toBe("[y](http://site.example/x) w");
    const { text } = await htmlMarkdown(
      `<base href="/${"b".repeat(1_900)}/">` + "<a href=x>y</a> ".repeat(8_000),
      page,
      { signal },
    );
    expect(text.length).toBeLessThan(9_000_000);
    expect(text.endsWith(" y y")).toBe(true);
  });

  // Code in code takes the converter a time that grows with the square of the length: this page would take minutes.
  const endless = "<code>x".repeat(200_000);

  test("holds up nothing else: its call ends when it is told to", async () => {
    const call = new AbortController();
    const world = await openWorld((_, response) => {
      response.on("close", () => setTimeout(() => call.abort(), 100));
      response.setHeader("content-type", "text/html").end(endless);
    }, names);
    expect(await toolOf(webFetch, {}, world.settings).invoke({ url }, { signal: call.signal })).toMatchObject({
      kind: "error",
      code: "cancelled",
    });
  });

  test("is an error where it takes too long, or too much memory", async () => {
    await expect(htmlMarkdown(endless, page, { signal, limitMs: 50 })).rejects.toThrow(
      "site.example sent a page of HTML that takes too long to read. Look for another page",
    );
    await expect(htmlMarkdown("<ul><li>x<br>".repeat(100_000), page, { signal, memoryMb: 8 })).rejects.toThrow(
      "site.example sent a page of HTML that takes too much memory to read. Look for another page",
    );
  });
});

test("where the converter is not installed, the call says what to install", async () => {
  const { signal } = new AbortController();
  const without = (what: string): string[] => {
    const hook = `import{registerHooks}from"node:module";registerHooks({resolve(s,c,n){if(s==="@mdream/js")throw new Error(${JSON.stringify(what)});return n(s,c)}})`;
    return ["--import", `data:text/javascript,${encodeURIComponent(hook)}`];
  };
  const gone = htmlMarkdown("<p>", new URL(url), { signal, execArgv: without("Cannot find package '@mdream/js'") });
  await expect(gone).rejects.toMatchObject({
    code: "missing_peer",
    data: { package: "@mdream/js" },
    message: expect.stringContaining("Run `npm install @mdream/js@^1.7.2`"),
  });
  const other = htmlMarkdown("<p>", new URL(url), { signal, execArgv: without("disk on fire") });
  await expect(other).rejects.toThrow("disk on fire");
});

const readerOf = (model?: AgentOptions["model"]) =>
  defineAgent({ name: "reader", description: "Reads pages.", tools: [webFetch], model });
const reader = readerOf();

describe("in an app", () => {
  const settings: { allowHosts: string[] } = { allowHosts: [] };
  const providers = [provide(WEB_FETCH_SETTINGS, { useValue: settings })];
  const page = (): Promise<{ port: number; connections: () => number }> =>
    listen(createServer((_, response) => response.setHeader("content-type", "text/html").end("<h1>Hello</h1>")));

  testWith(reader, { providers, network: ["loopback"] })("a model reads a page", async ({ mockLlm, app }) => {
    const { port } = await page();
    settings.allowHosts = [`127.0.0.1:${port}`];
    mockLlm(reader).thenReturn(callTool(webFetch, { url: `http://127.0.0.1:${port}/` }), replyWith("It says hello."));
    expect(await app.run({ prompt: "Read it." })).toMatchObject({ status: "completed", text: "It says hello." });
    expect(JSON.stringify(mockLlm(reader).requests.at(-1)!.messages.at(-1))).toContain("# Hello");
  });

  testWith(reader, { providers })("the network guard of a test holds for pages too", async ({ app }) => {
    const { port, connections } = await page();
    settings.allowHosts = [`127.0.0.1:${port}`];
    expect(messageOf(await app.tool(webFetch).invoke({ url: `http://127.0.0.1:${port}/` }))).toMatch(
      /127\.0\.0\.1.*allowNetwork/,
    );
    expect(connections()).toBe(0);
  });

  test("a run goes on after a page that is refused", async () => {
    const world = await sent("hello");
    const model = scriptedModel(
      callTool(webFetch, { url }),
      callTool(webFetch, { url: "http://169.254.169.254/latest/meta-data/" }),
      replyWith("done"),
    );
    await using app = await createApp(readerOf(model), {
      env: {},
      providers: [provide(WEB_FETCH_SETTINGS, { useValue: world.settings })],
    });
    expect(await app.run({ prompt: "go" })).toMatchObject({ status: "completed", text: "done" });
    expect(world.requests).toHaveLength(1);
  });
});
