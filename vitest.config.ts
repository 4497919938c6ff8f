import { globSync } from "node:fs";
import { defineConfig } from "vitest/config";
import { tc39Plugin } from "./tools/tc39-plugin.ts";

const common = {
  pool: "forks",
  maxWorkers: 2,
  testTimeout: 60_000,
  hookTimeout: 60_000,
  teardownTimeout: 5_000,
  allowOnly: false,
} as const;

/** `tenon-source` leads `import "tenon"` in a test to the sources. */
const conditions = ["tenon-source", "node"];

const command = ["packages/cli/test/**/*.test.ts"];
const areas = [
  "app",
  "builtin",
  "config",
  "container",
  "finops",
  "hooks",
  "itool",
  "known-failures",
  "llm",
  "pauses",
  "replay",
  "schema",
  "stores",
];
/** It imports `tenon/testing/setup`, which guards the network for the rest of its process. */
const guarded = "packages/tenon/test/itool/places.test.ts";
const shared = globSync(areas.map((name) => `packages/tenon/test/${name}/**/*.test.ts`)).filter(
  (file) => file !== guarded,
);
const rest = ["packages/tenon/test/**/*.test.ts", "examples/*/test/**/*.test.ts", "tools/test/**/*.test.ts"];

export default defineConfig({
  plugins: [tc39Plugin()],
  resolve: { conditions },
  ssr: { resolve: { conditions, externalConditions: ["node"] } },
  test: {
    ...common,
    projects: [
      // `tenon` means what was built, as it does for the command: to transform the sources again costs more than a command.
      {
        extends: false,
        resolve: { conditions: ["node"] },
        ssr: { resolve: { conditions: ["node"], externalConditions: ["node"] } },
        test: {
          ...common,
          name: "command",
          include: command,
          globalSetup: "packages/cli/test/temporary-folder.ts",
          server: { deps: { external: [/\/packages\/tenon\/dist\//] } },
        },
      },
      // These share a process and what it has loaded: loading Tenon again for each costs more than most of them take.
      // What changes globals (the testing kit) or stands on processes (recovery) is with the rest.
      { extends: true, test: { name: "shared", include: shared, isolate: false } },
      { extends: true, test: { name: "rest", include: rest, exclude: shared } },
    ],
  },
});
