import { defineConfig } from "vitest/config";
import { tc39Plugin } from "./tools/tc39-plugin.ts";

/** `tenon-source` leads `import "tenon"` in a test to the sources. */
const conditions = ["tenon-source", "node"];

export default defineConfig({
  plugins: [tc39Plugin()],
  resolve: { conditions },
  ssr: { resolve: { conditions, externalConditions: ["node"] } },
  test: {
    include: ["packages/*/test/**/*.test.ts", "examples/*/test/**/*.test.ts", "tools/test/**/*.test.ts"],
    pool: "forks",
    maxWorkers: 2,
    testTimeout: 20_000,
    hookTimeout: 20_000,
    teardownTimeout: 5_000,
    allowOnly: false,
  },
});
