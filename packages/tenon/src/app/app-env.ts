import type { Env } from "../config/env-names.js";
import { token, type Token } from "../container/keys.js";

/**
 * The environment variables of the app, as `createApp({ env })` got them: for a tool that needs a key. Every app provides it;
 * a provider of the app's own wins. Read a variable when it is needed, and keep and show none. Outside of an app (`toolOf`)
 * nobody provides it: take `optional(APP_ENV)` where that matters.
 */
export const APP_ENV: Token<Env> = token<Env>("APP_ENV");
