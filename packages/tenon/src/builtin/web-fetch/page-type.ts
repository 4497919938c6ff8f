/** What a content type says. */
export interface PageType {
  /** Lower case, without parameters: `text/html`. Empty where nothing was said. */
  readonly mediaType: string;
  readonly charset: string | undefined;
  /** How the body becomes text; `undefined` for what is not read. */
  readonly kind: "html" | "text" | undefined;
}

/** Reads a header `content-type`. */
export function readPageType(header: string | undefined): PageType {
  const [type = "", ...parameters] = (header ?? "").split(";");
  const mediaType = type.trim().toLowerCase();
  const charset = parameters
    .map((parameter) => /^\s*charset\s*=\s*"?([^"\s]+)/i.exec(parameter)?.[1])
    .find((name) => name !== undefined);
  return { mediaType, charset, kind: kindOf(mediaType) };
}

function kindOf(mediaType: string): PageType["kind"] {
  if (mediaType === "text/html" || mediaType === "application/xhtml+xml") return "html";
  const isText = mediaType.startsWith("text/") || /^application\/([\w.-]+\+)?(json|xml|yaml)$/.test(mediaType);
  return isText ? "text" : undefined;
}
