import { transform } from "esbuild";
import type { Plugin } from "vite";

/**
 * Compiles decorators of the TC39 kind in files that end with `.tc39.ts` or `.tc39.test.ts`. Vite's own compiler leaves
 * them in the output, where Node cannot read them; and the tsconfig of the tests asks for legacy ones.
 */
export function tc39Plugin(): Plugin {
  return {
    name: "tc39-decorators",
    enforce: "pre",
    transform: {
      filter: { id: /\.tc39(\.test)?\.ts$/ },
      async handler(code, id) {
        const tsconfigRaw = {
          compilerOptions: { experimentalDecorators: false, useDefineForClassFields: true, verbatimModuleSyntax: true },
        };
        const made = await transform(code, {
          loader: "ts",
          target: "es2022",
          sourcefile: id,
          sourcemap: true,
          tsconfigRaw,
        });
        return { code: made.code, map: made.map, moduleType: "js" };
      },
    },
  };
}
