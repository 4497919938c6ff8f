import { createApp } from "tenon";
import { offlineModel } from "tenon/models";
import { sqliteStore } from "tenon/sqlite";
import type { TenonConfig } from "tenon-cli";
import { Desk } from "./src/desk.js";

const model = process.env.TENON_MODEL;

export default {
  app: () =>
    createApp(Desk, {
      store: sqliteStore(".tenon/tenon.db"),
      // Without TENON_MODEL the embedded one answers: no key, no network.
      models: { default: model === undefined || model === "" ? offlineModel() : model },
      // A run that a kill left is free for the next process after this time.
      leaseMs: 3_000,
    }),
  greeting: `A support desk over real files. Try:
  find my notes about invoices
  search issues about login
  how many open issues are about the export
  save a note titled "Refund rule": refunds over 100 need a second look`,
} satisfies TenonConfig;
