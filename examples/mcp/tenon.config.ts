import { createApp } from "tenon";
import { offlineModel } from "tenon/models";
import { sqliteStore } from "tenon/sqlite";
import type { TenonConfig } from "tenon-cli";
import { Desk } from "./src/desk.js";

export default {
  app: () => createApp(Desk, { store: sqliteStore(".tenon/tenon.db"), models: { default: offlineModel() } }),
} satisfies TenonConfig;
