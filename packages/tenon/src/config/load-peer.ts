import { MissingPeerError } from "../errors/environment-errors.js";

/** Loads an optional peer package; rejects with `MissingPeerError` where it is not installed. `why` begins that sentence. */
export async function loadPeer<P>(load: () => Promise<P>, name: string, range: string, why: string): Promise<P> {
  try {
    return await load();
  } catch (thrown) {
    const { code, message } = thrown as { readonly code?: unknown; readonly message?: unknown };
    if (
      code !== "ERR_MODULE_NOT_FOUND" &&
      code !== "MODULE_NOT_FOUND" &&
      !/^Cannot find (package|module)/.test(String(message))
    )
      throw thrown;
    throw new MissingPeerError(name, range, why, thrown);
  }
}
