import { type } from "arktype";

/**
 * ArkType's `type`, by the name that samples of the interface form use: `Assert({ city: "string > 0", "units?": "'metric' |
 * 'imperial'" })`. What it makes is a Standard Schema with JSON Schema. Needs the package `arktype`.
 */
export const Assert: typeof type = type;
