/** One thing that `tenon doctor` looked at. */
export interface DoctorCheck {
  readonly name: "node" | "flags" | "tsconfig" | "project" | "packages" | "environment" | "store" | "model";
  /** `note`: nothing is broken, but it is good to know. `problem`: something must be mended. */
  readonly level: "ok" | "note" | "problem";
  readonly message: string;
  /** What is missing, by name; never a value. */
  readonly missing?: readonly string[] | undefined;
  /** Which environment variables each MCP server takes. */
  readonly servers?: readonly ServerVariables[] | undefined;
}

/** The environment variables of one MCP server, by name; never a value. */
export interface ServerVariables {
  readonly server: string;
  readonly set: readonly string[];
  readonly missing: readonly string[];
}
