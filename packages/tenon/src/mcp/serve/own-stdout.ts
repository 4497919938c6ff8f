import type { Writable } from "node:stream";

/**
 * Takes the process's standard output for a protocol: what else writes there, `console.log` above all, goes to standard error from
 * now on. `release` gives it back.
 */
export async function ownStdout(): Promise<{ readonly output: Writable; release(): void }> {
  const { Writable } = await import("node:stream");
  const { stdout, stderr } = process;
  // oxlint-disable-next-line typescript/unbound-method -- it is only put back
  const own = stdout.write;
  const write = stdout.write.bind(stdout);
  stdout.write = stderr.write.bind(stderr);
  const output = new Writable({
    write: (chunk: Uint8Array, _encoding, done) => {
      write(chunk, (error?: Error | null) => done(error));
    },
  });
  // Whoever read it is gone.
  stdout.on("error", (error: Error) => output.destroy(error));
  return {
    output,
    release() {
      stdout.write = own;
    },
  };
}
