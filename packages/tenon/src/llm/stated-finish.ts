const FINISH = /"finish_reason"\s*:\s*"/;
const DONE = /(?:^|\n|\r)data: ?\[DONE\]/;
/** More than the longest piece that is looked for. */
const TAIL = 64;
const STATED = '\n\ndata: {"choices":[{"index":0,"delta":{},"finish_reason":"unknown"}]}\n\n';

/**
 * `fetch` for servers that end a stream with `[DONE]` and never say why the answer ended: the end is then stated as
 * `unknown`, so that a whole answer is told from one that broke off. All else is passed on as it comes.
 */
export async function fetchStated(...[input, init]: Parameters<typeof fetch>): Promise<Response> {
  const response = await fetch(input, init);
  if (response.body === null || !response.headers.get("content-type")?.startsWith("text/event-stream")) return response;
  return new Response(response.body.pipeThrough(statedFinish()), {
    status: response.status,
    statusText: response.statusText,
    headers: response.headers,
  });
}

function statedFinish(): TransformStream<Uint8Array<ArrayBuffer>, Uint8Array<ArrayBuffer>> {
  // What is looked for is ASCII, so that a character may be cut in two.
  const decoder = new TextDecoder("latin1");
  let tail = "\n";
  let finished = false;
  let done = false;
  return new TransformStream({
    transform(bytes, controller) {
      controller.enqueue(bytes);
      if (finished) return;
      const text = tail + decoder.decode(bytes);
      finished = FINISH.test(text);
      done ||= DONE.test(text);
      tail = text.slice(-TAIL);
    },
    flush(controller) {
      if (done && !finished) controller.enqueue(new TextEncoder().encode(STATED));
    },
  });
}
