import { readFileSync } from "node:fs";

/** What a folder may take from another one: everything, only types, or the named files. */
export type Allowance = "all" | "types" | ReadonlySet<string>;

export interface Layer {
  readonly layer: number;
  readonly allows: ReadonlyMap<string, Allowance>;
}

/** `layers.json`, checked. */
export interface LayerTable {
  readonly folders: ReadonlyMap<string, Layer>;
  /** The door whose path must be free of Node built-ins. */
  readonly rootDoor: string;
  /** Files over the length limit, from the workspace's root on, with the reason. */
  readonly long: ReadonlyMap<string, string>;
}

interface Row {
  readonly layer: number;
  readonly folder: string;
  readonly imports: "below" | readonly string[];
}

/**
 * Reads the table. In a row's `imports`, `"x"` allows all of folder x, `"x:types"` only type imports, `"x/y.ts"` only that
 * file, `"door:x"` only the public door `tenon/x` (the root door as `"door:tenon"`), and `"below"` stands for every folder of a
 * lower layer. Throws on a row that allows what is above it or unknown.
 */
export function readLayerTable(path: string): LayerTable {
  const json = JSON.parse(readFileSync(path, "utf8")) as {
    doors: { layer: number; root: string };
    folders: readonly Row[];
    long: Record<string, string>;
  };
  const layerOf = new Map(json.folders.map((row) => [row.folder, row.layer]));
  const folders = new Map<string, Layer>();
  for (const row of json.folders) {
    const allows = new Map<string, Allowance>();
    const entries =
      row.imports === "below"
        ? json.folders.filter((other) => other.layer < row.layer).map((other) => other.folder)
        : row.imports;
    for (const entry of entries) {
      const door = /^door:(.+)$/.exec(entry)?.[1];
      if (door !== undefined) {
        allowFile(allows, "doors", `${door}/index.ts`);
        continue;
      }
      const [, folder = "", file, types] = /^([^/:]+)(?:\/(.+))?(:types)?$/.exec(entry) ?? [];
      const layer = layerOf.get(folder);
      if (layer === undefined)
        throw new Error(`${path}: "${row.folder}" allows "${entry}", which is no folder of the table.`);
      if (layer > row.layer) throw new Error(`${path}: "${row.folder}" allows "${entry}", which is above it.`);
      if (file === undefined) allows.set(folder, types === undefined ? "all" : "types");
      else allowFile(allows, folder, file);
    }
    folders.set(row.folder, { layer: row.layer, allows });
  }
  folders.set("doors", {
    layer: json.doors.layer,
    allows: new Map([...layerOf.keys()].map((folder) => [folder, "all"])),
  });
  return { folders, rootDoor: json.doors.root, long: new Map(Object.entries(json.long)) };
}

function allowFile(allows: Map<string, Allowance>, folder: string, file: string): void {
  const before = allows.get(folder);
  allows.set(folder, new Set([...(before instanceof Set ? before : []), file]));
}
