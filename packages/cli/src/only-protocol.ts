import { Writable } from "node:stream";

/**
 * From now on standard output is only what is written to the stream that this gives. Whatever else writes there, `console.log` of a
 * project's code above all, goes to standard error.
 */
export function onlyProtocol(): Writable {
  const { stdout, stderr } = process;
  const write = stdout.write.bind(stdout);
  stdout.write = stderr.write.bind(stderr);
  return new Writable({
    write: (chunk: Uint8Array, _encoding, done) => {
      write(chunk, (error?: Error | null) => done(error));
    },
  });
}
