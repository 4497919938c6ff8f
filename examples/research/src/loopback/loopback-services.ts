import { once } from "node:events";
import { connect } from "node:net";
import type { WebFetchSettings } from "tenon/tools/web-fetch";
import type { HttpSettings } from "tenon/tools/wikipedia";
import { exa } from "./exa.js";
import { MUSEUM, museum, readPages } from "./museum.js";
import { pubmed } from "./pubmed.js";
import { openService, type Asked, type Service } from "./service.js";
import { wikipedia } from "./wikipedia.js";

const data = new URL("../../data/", import.meta.url);

type Name = "wikipedia" | "pubmed" | "exa" | "museum";

/**
 * Servers on this machine that play Wikipedia, PubMed, Exa and a web site, each in the shapes of the real one. What they
 * hold is in `data/`, written for this example: the articles are true, the records of PubMed are made up and say so.
 */
export class LoopbackServices implements AsyncDisposable {
  readonly #services: Readonly<Record<Name, Service>>;

  constructor(services: Readonly<Record<Name, Service>>) {
    this.#services = services;
  }

  /** Opens them all, each on a free port. */
  static async open(): Promise<LoopbackServices> {
    const pages = readPages(new URL("museum/", data));
    return new LoopbackServices({
      wikipedia: await openService(wikipedia(new URL("wikipedia/", data))),
      pubmed: await openService(pubmed(new URL("pubmed.json", data))),
      exa: await openService(exa(pages)),
      museum: await openService(museum(pages)),
    });
  }

  /** For `HTTP_SETTINGS`: where the services are. */
  get baseUrls(): HttpSettings["baseUrls"] {
    const at = (name: Name): string => `http://127.0.0.1:${this.#services[name].port}`;
    return { wikipedia: at("wikipedia"), pubmed: at("pubmed"), exa: at("exa") };
  }

  /** For `WEB_FETCH_SETTINGS`: the one site that may be read. It is found on this machine; no other name is looked up. */
  get web(): WebFetchSettings {
    return {
      allowHosts: [MUSEUM],
      resolve: async (host) => (host === MUSEUM ? ["127.0.0.1"] : []),
      connect: async ({ addresses: [host] }, signal) => {
        const socket = connect({ host, port: this.#services.museum.port, signal });
        await once(socket, "connect");
        return socket;
      },
    };
  }

  /** What a service was asked, in order. */
  asked(name: Name): readonly Asked[] {
    return this.#services[name].asked;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await Promise.all(Object.values(this.#services).map((service) => service[Symbol.asyncDispose]()));
  }
}
