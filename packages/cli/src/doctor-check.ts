/** One thing that `tenon doctor` looked at. */
export interface DoctorCheck {
  readonly name: "node" | "flags" | "tsconfig" | "project" | "packages" | "environment" | "store" | "model";
  /** `note`: nothing is broken, but it is good to know. `problem`: something must be mended. */
  readonly level: "ok" | "note" | "problem";
  readonly message: string;
  /** What is missing, by name; never a value. */
  readonly missing?: readonly string[] | undefined;
}
