import type * as openAICompatible from "@ai-sdk/openai-compatible";
import { MissingPeerError } from "../errors/environment-errors.js";
import { loadPeer } from "../config/load-peer.js";
import { isLoopback } from "../util/host-name.js";
import type { LanguageModel, Model } from "./model.js";
import { toServerUsage } from "./server-usage.js";
import { fetchStated } from "./stated-finish.js";
import { createV4Model } from "./v4-model.js";

const PEER = "@ai-sdk/openai-compatible";

/** A model of an OpenAI-compatible server. */
export interface ServerModel {
  readonly id: string;
  readonly baseUrl: URL;
  readonly apiKey: string | undefined;
}

type Peer = Pick<typeof openAICompatible, "createOpenAICompatible">;

/**
 * The port over a model that such a server has. Loads the optional peer `@ai-sdk/openai-compatible`; rejects with
 * `MissingPeerError` where it is not installed or too old. A server on this machine counts as free, where nobody says what it costs.
 */
export async function createServerModel(
  server: ServerModel,
  load: () => Promise<Peer> = () => import("@ai-sdk/openai-compatible"),
): Promise<Model> {
  const { id, baseUrl, apiKey } = server;
  const peer = await loadPeer(load, PEER, "^3", "A model named by a string, served at TENON_BASE_URL,");
  const openRouter = baseUrl.hostname === "openrouter.ai" || baseUrl.hostname.endsWith(".openrouter.ai");
  const model: LanguageModel = peer.createOpenAICompatible({
    name: openRouter ? "openrouter" : "compatible",
    baseURL: `${baseUrl.origin}${baseUrl.pathname}`,
    queryParams: Object.fromEntries(baseUrl.searchParams),
    includeUsage: true,
    convertUsage: toServerUsage,
    fetch: fetchStated,
    ...(apiKey === undefined ? {} : { apiKey }),
    ...(openRouter ? { transformRequestBody: askForCost } : {}),
  })(id);
  if (model.specificationVersion !== "v4")
    throw new MissingPeerError(PEER, "^3", "The model server adapter (the installed release is too old)");
  const hint = (status: number | undefined): string | undefined =>
    apiKey === undefined && (status === 401 || status === 403)
      ? "no key was sent, because the environment variable TENON_API_KEY is not set"
      : undefined;
  return createV4Model(model, { id, local: isOfThisMachine(baseUrl), free: false, reportsCost: openRouter, hint });
}

/** True for a URL of this very machine. */
export function isOfThisMachine({ hostname }: URL): boolean {
  return hostname.endsWith(".localhost") || isLoopback(hostname.replace(/^\[|\]$/g, ""));
}

function askForCost(body: Record<string, unknown>): Record<string, unknown> {
  return { ...body, usage: { include: true } };
}
