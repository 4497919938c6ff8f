import { appendFileSync } from "node:fs";

appendFileSync(process.argv[2], "started\n");
process.stdout.write("usage: whatever\n");
process.stderr.write(`no database for ${process.env.SECRET_TOKEN}\n`, () => process.exit(9));
