import { provide } from "tenon";
import { HTTP_SETTINGS } from "tenon/tools/wikipedia";
import { WEB_FETCH_SETTINGS } from "tenon/tools/web-fetch";
import { LoopbackServices } from "./loopback/loopback-services.js";

const userAgent = "tenon-example-research/1.0";

/**
 * Every service is one on this machine: the given ones, else some of the app's own, which start with the first call that
 * asks for one and stop with the app.
 */
export const onThisMachine = (services?: LoopbackServices) => [
  services === undefined
    ? provide(LoopbackServices, { useFactory: () => LoopbackServices.open() })
    : provide(LoopbackServices, { useValue: services }),
  provide(HTTP_SETTINGS, {
    deps: [LoopbackServices],
    useFactory: ({ baseUrls }) => ({
      userAgent: `${userAgent} (research@example.com)`,
      email: "research@example.com",
      toolName: "tenon-example-research",
      baseUrls,
      // Exa alone is played here: the keys of others are not looked at.
      searchService: "exa" as const,
    }),
  }),
  provide(WEB_FETCH_SETTINGS, { deps: [LoopbackServices], useFactory: ({ web }) => web }),
];

/** The services themselves. They ask for a contact: `email` is yours; empty for none. */
export const onTheInternet = (email: string) => [
  provide(HTTP_SETTINGS, {
    useValue: email === "" ? { userAgent } : { userAgent: `${userAgent} (${email})`, email },
  }),
];
