/** What is thrown at a body that is too long. */
export class BodyTooLong extends Error {}

/**
 * The same response, whose body fails once one message of it is longer than so many bytes: the whole of it, or what stands between
 * two empty lines of an event stream.
 */
export function boundedBody(response: Response, longest: number): Response {
  if (response.body === null) return response;
  const stream = response.headers.get("content-type")?.includes("text/event-stream") === true;
  let size = 0;
  let last = 0;
  const counted = response.body.pipeThrough(
    new TransformStream<Uint8Array, Uint8Array>({
      transform(chunk, controller) {
        for (const byte of stream ? chunk : []) {
          if (byte === CARRIAGE_RETURN) continue;
          size = byte === NEWLINE && last === NEWLINE ? 0 : size + 1;
          last = byte;
          if (size > longest) break;
        }
        if (!stream) size += chunk.length;
        if (size > longest) controller.error(new BodyTooLong(`a message of more than ${longest / 1024 / 1024} MB`));
        else controller.enqueue(chunk);
      },
    }),
  );
  const { status, statusText, headers } = response;
  const bounded = new Response(counted, { status, statusText, headers });
  // What redirects are told by.
  Object.defineProperty(bounded, "url", { value: response.url });
  return bounded;
}

const NEWLINE = 10;
const CARRIAGE_RETURN = 13;
