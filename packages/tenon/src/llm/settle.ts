const nextTick = Promise.resolve();

/**
 * The end of a provider's promise, mapped; or the signal's reason as soon as the signal aborts, whatever the provider does.
 * What `done` throws goes through `failed` too, which never throws itself. A provider that answers within the tick costs no
 * abort listener.
 */
export function settle<T, R>(
  signal: AbortSignal,
  pending: Promise<T>,
  done: (value: T) => R,
  failed: (thrown: unknown) => unknown,
  onAbort?: () => void,
): Promise<R> {
  return new Promise<R>((resolve, reject) => {
    let open = true;
    let stop: (() => void) | undefined;
    pending.then(
      (value) => {
        if (!open) return;
        open = false;
        if (stop !== undefined) signal.removeEventListener("abort", stop);
        try {
          resolve(done(value));
        } catch (thrown) {
          reject(failed(thrown));
        }
      },
      (thrown: unknown) => {
        if (!open) return;
        open = false;
        if (stop !== undefined) signal.removeEventListener("abort", stop);
        reject(signal.aborted ? signal.reason : failed(thrown));
      },
    );
    void nextTick.then(() => {
      if (!open) return;
      stop = (): void => {
        if (!open) return;
        open = false;
        reject(signal.reason);
        onAbort?.();
      };
      if (signal.aborted) stop();
      else signal.addEventListener("abort", stop);
    });
  });
}
