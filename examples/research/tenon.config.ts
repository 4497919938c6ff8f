import { createApp } from "tenon";
import { sqliteStore } from "tenon/sqlite";
import type { TenonConfig } from "tenon-cli";
import { planModel } from "./src/plan/plan-model.js";
import { Research } from "./src/research.js";
import { onTheInternet, onThisMachine } from "./src/settings.js";

const { TENON_MODEL: model = "", RESEARCH_EMAIL: email = "" } = process.env;

export default {
  app: () =>
    createApp(Research, {
      store: sqliteStore(".tenon/tenon.db"),
      // Without TENON_MODEL: a model of rules, and services on this machine. No key, no network.
      models: { default: model === "" ? planModel() : model },
      providers: model === "" ? onThisMachine() : onTheInternet(email),
    }),
  greeting: `Research with sources. Try:
  Which food cures scurvy?
  Which food cures scurvy? See also http://museum.example/scurvy-1747`,
} satisfies TenonConfig;
