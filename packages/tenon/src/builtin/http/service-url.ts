/** The address of a part of a service, under what the app says of it. */
export function serviceUrl(base: string, path: string): URL {
  return new URL(`${base.replace(/\/+$/, "")}/${path}`);
}
