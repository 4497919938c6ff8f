const nextTick = Promise.resolve();

/**
 * The end of a provider's promise, mapped; or the signal's reason as soon as the signal aborts, whatever the provider does.
 * What `done` throws goes through `failed` too. A provider that answers within the tick costs no abort listener.
 */
export function settle<T, R>(
  signal: AbortSignal,
  pending: PromiseLike<T>,
  done: (value: T) => R,
  failed: (thrown: unknown) => unknown,
  onAbort?: () => void,
): Promise<R> {
  return new Promise<R>((resolve, reject) => {
    let open = true;
    let listens = false;
    const abort = (): void => {
      if (!open) return;
      open = false;
      reject(signal.reason);
      onAbort?.();
    };
    const close = (): void => {
      open = false;
      if (listens) signal.removeEventListener("abort", abort);
    };
    pending.then(
      (value) => {
        if (!open) return;
        close();
        try {
          resolve(done(value));
        } catch (thrown) {
          reject(failed(thrown));
        }
      },
      (thrown: unknown) => {
        if (!open) return;
        close();
        reject(signal.aborted ? signal.reason : failed(thrown));
      },
    );
    void nextTick.then(() => {
      if (!open) return;
      if (signal.aborted) return abort();
      listens = true;
      signal.addEventListener("abort", abort);
    });
  });
}
