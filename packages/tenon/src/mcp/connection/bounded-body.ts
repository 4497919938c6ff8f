/** What is thrown at a body that is too long. */
export class BodyTooLong extends Error {}

/**
 * The same response, whose body fails once one message of it is longer than so many bytes: the whole of it, or what stands between
 * two empty lines of an event stream.
 */
export function boundedBody(response: Response, longest: number): Response {
  if (response.body === null) return response;
  const type = response.headers.get("content-type");
  const sizeWith = type?.includes("text/event-stream") === true ? sizeOfEvents() : sizeOfAll();
  const bounded = response.body.pipeThrough(
    new TransformStream<Uint8Array, Uint8Array>({
      transform(chunk, controller) {
        if (sizeWith(chunk) <= longest) controller.enqueue(chunk);
        else controller.error(new BodyTooLong(`a message of more than ${longest / 1024 / 1024} MB`));
      },
    }),
  );
  const { status, statusText, headers } = response;
  const copy = new Response(bounded, { status, statusText, headers });
  // What redirects are told by.
  Object.defineProperty(copy, "url", { value: response.url });
  return copy;
}

type SizeWith = (chunk: Uint8Array) => number;

function sizeOfAll(): SizeWith {
  let size = 0;
  return (chunk) => (size += chunk.length);
}

const NEWLINE = 10;
const CARRIAGE_RETURN = 13;

/** The size of the event that is not complete yet, or of the longest that this chunk completes. */
function sizeOfEvents(): SizeWith {
  let size = 0;
  let line = 0;
  let last = 0;
  return (chunk) => {
    let longest = 0;
    for (let from = 0; from < chunk.length;) {
      const newline = chunk.indexOf(NEWLINE, from);
      const end = newline < 0 ? chunk.length : newline;
      line += end - from;
      size += end - from;
      if (end > from) last = chunk[end - 1]!;
      longest = Math.max(longest, size);
      if (newline >= 0) {
        if (line === 0 || (line === 1 && last === CARRIAGE_RETURN)) size = 0;
        line = 0;
      }
      from = end + 1;
    }
    return longest;
  };
}
