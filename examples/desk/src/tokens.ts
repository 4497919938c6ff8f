import { token } from "tenon";

/** The folder that notes are read from and written to. */
export const NOTES_DIR = token<URL>("NOTES_DIR");

/** The notes that the folder starts with. */
export const NOTES_SEED = token<URL>("NOTES_SEED");

/** One issue a line, as JSON. */
export const ISSUES_FILE = token<URL>("ISSUES_FILE");
