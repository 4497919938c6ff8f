import { defineConfig } from "vitest/config";

const conditions = ["tenon-source", "module", "node"];

/** Tests under the setup file; some must fail. They are run by a test, never with the others. */
export default defineConfig({
  resolve: { conditions },
  ssr: { resolve: { conditions, externalConditions: ["node"] } },
  test: { include: ["**/*.fixture.ts"], maxWorkers: 1, setupFiles: ["tenon/testing/setup"] },
});
