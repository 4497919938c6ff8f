import { systemClock } from "../../util/clock.js";
import type { ServerTools } from "../connection/listed-tool.js";
import type { ServerSpec } from "../connection/server-spec.js";

/** Connects to a server, lists its tools, and closes the connection, whatever happens. */
export async function askServer(spec: ServerSpec): Promise<ServerTools> {
  const { ServerConnection } = await import("../connection/server-connection.js");
  const connection = new ServerConnection(spec, { clock: systemClock });
  try {
    const tools = await connection.tools();
    return { tools, faults: await connection.faults() };
  } finally {
    await connection.close();
  }
}
