import type * as openRouter from "@openrouter/ai-sdk-provider";
import { type Env, OPENROUTER_API_KEY } from "../config/env-names.js";
import { MissingVariableError } from "../errors/environment-errors.js";
import { loadPeer } from "../config/load-peer.js";
import type { LanguageModel, Model } from "./model.js";
import { createV4Model } from "./v4-model.js";

const PEER = "@openrouter/ai-sdk-provider";

/** What a model of OpenRouter is made from. */
export interface OpenRouterSource {
  readonly id: string;
  /** Where the key is read from, at each call. */
  readonly env: Env;
  /** Another server with the same interface. */
  readonly baseUrl?: string | undefined;
}

type Peer = Pick<typeof openRouter, "createOpenRouter">;

/**
 * The port over a model that OpenRouter serves. Loads the optional peer `@openrouter/ai-sdk-provider`; rejects with
 * `MissingPeerError` where it is not installed. The key is read when the model is called: without it that call rejects with
 * `MissingVariableError`.
 */
export async function createOpenRouterModel(
  source: OpenRouterSource,
  load: () => Promise<Peer> = () => import("@openrouter/ai-sdk-provider"),
): Promise<Model> {
  const { id } = source;
  const peer = await loadPeer(load, PEER, "^3", `The model "${id.slice(0, 100)}", served by OpenRouter,`);
  return createV4Model(new OpenRouterModel(peer, source), { id, free: false, reportsCost: true, hint });
}

/** Makes the peer's own model again when the key has changed. */
class OpenRouterModel implements LanguageModel {
  readonly specificationVersion: LanguageModel["specificationVersion"];
  readonly provider: string = "openrouter";
  readonly modelId: string;
  readonly #peer: Peer;
  readonly #source: OpenRouterSource;
  #key: string | undefined;
  #model: LanguageModel;

  constructor(peer: Peer, source: OpenRouterSource) {
    this.#peer = peer;
    this.#source = source;
    this.modelId = source.id;
    this.#model = this.#made(undefined);
    this.specificationVersion = this.#model.specificationVersion;
  }

  get supportedUrls(): unknown {
    return (this.#model as { readonly supportedUrls?: unknown }).supportedUrls;
  }

  doGenerate(options: unknown): PromiseLike<unknown> {
    return this.#withKey().doGenerate(options);
  }

  doStream(options: unknown): PromiseLike<unknown> {
    return this.#withKey().doStream(options);
  }

  #withKey(): LanguageModel {
    const key = this.#source.env[OPENROUTER_API_KEY]?.trim();
    if (key === undefined || key === "")
      throw new MissingVariableError(
        OPENROUTER_API_KEY,
        `The model "${this.modelId.slice(0, 100)}" is served by OpenRouter, which needs a key`,
      );
    if (key !== this.#key) {
      this.#model = this.#made(key);
      this.#key = key;
    }
    return this.#model;
  }

  #made(apiKey: string | undefined): LanguageModel {
    const { id, baseUrl } = this.#source;
    const provider = this.#peer.createOpenRouter({
      compatibility: "strict",
      ...(baseUrl === undefined ? {} : { baseURL: baseUrl }),
      ...(apiKey === undefined ? {} : { apiKey }),
    });
    return provider.chat(id, { usage: { include: true } });
  }
}

const hint = (status: number | undefined): string | undefined =>
  status === 401 || status === 403 ? `the key in ${OPENROUTER_API_KEY} was not accepted` : undefined;
