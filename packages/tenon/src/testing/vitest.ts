import { loadPeer } from "../config/load-peer.js";

type Vitest = typeof import("vitest");

/** Loaded here and nowhere else, so that whoever lacks it reads which package to install. */
const vitest: Vitest = await loadPeer(() => import("vitest"), "vitest", "^5", "`tenon/testing`");

export const describe: Vitest["describe"] = vitest.describe;
export const expect: Vitest["expect"] = vitest.expect;
export const onTestFinished: Vitest["onTestFinished"] = vitest.onTestFinished;
export const test: Vitest["test"] = vitest.test;
export const TestRunner: Vitest["TestRunner"] = vitest.TestRunner;
export const vi: Vitest["vi"] = vitest.vi;
