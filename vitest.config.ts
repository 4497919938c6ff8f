import { defineConfig } from "vitest/config";
import { compiledOnce } from "./tools/compiled-once.ts";
import { tc39Plugin } from "./tools/tc39-plugin.ts";

const common = {
  pool: "forks",
  maxWorkers: 3,
  testTimeout: 60_000,
  hookTimeout: 60_000,
  teardownTimeout: 5_000,
  allowOnly: false,
} as const;

/** `tenon-source` leads `import "tenon"` in a test to the sources. */
const conditions = ["tenon-source", "node"];

const command = ["packages/cli/test/**/*.test.ts"];
/** These import `tenon/testing/setup`, which guards the network for the rest of its process, or try the guard itself. */
const guarded = [
  "packages/tenon/test/docs/testing-faults.test.ts",
  "packages/tenon/test/itool/places.test.ts",
  "packages/tenon/test/testing/matchers.test.ts",
  "packages/tenon/test/testing/network-guard.test.ts",
];
const shared = ["packages/tenon/test/**/*.test.ts", "examples/*/test/**/*.test.ts", "tools/test/**/*.test.ts"];

/** The processes that these start share what Node compiled. */
const starting = { env: compiledOnce, globalSetup: "tools/compiled-once.ts" };

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
      { extends: true, test: { name: "alone", include: guarded, ...starting } },
      // These share a process and what it has loaded: loading Tenon again for each costs more than most of them take.
      { extends: true, test: { name: "shared", include: shared, exclude: guarded, isolate: false, ...starting } },
    ],
  },
});
