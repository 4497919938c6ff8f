import { mkdirSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { McpServer, McpServerClient } from "tenon/mcp";

/** The folder that the server may touch, and no other. */
export const shelf: string = fileURLToPath(new URL("../.tenon/shelf", import.meta.url));
// The server ends at once where its folder is not there.
mkdirSync(shelf, { recursive: true });

const program = fileURLToPath(import.meta.resolve("@modelcontextprotocol/server-filesystem/dist/index.js"));

/** The public server for files, as a program of this machine. What its tools are is pinned in `tenon.lock.json`. */
@McpServer({
  name: "files",
  command: process.execPath,
  args: [program, shelf],
  tools: ["read_text_file", "write_file", "list_directory"],
})
export class Files extends McpServerClient {}
