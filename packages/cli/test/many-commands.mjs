// Runs several commands one after another in this process, each through the command's own entry. The arguments are that
// entry and a JSON list of `{ args, env, cwd }`; what is printed is a JSON list of how each ended.
import { pathToFileURL } from "node:url";

const [main, commands] = process.argv.slice(2);
const { exit, stdout, stderr } = process;
const print = stdout.write.bind(stdout);
const folder = process.cwd();
const environment = { ...process.env };
// Each command listens to the signals and to its output.
for (const heard of [process, stdout, stderr]) heard.setMaxListeners(0);

/** Stands for the end of the process: nothing after `process.exit` is run. */
const ended = new Error("It has ended.");

async function run({ args, env, cwd = folder }, index) {
  process.chdir(cwd);
  process.env = { ...environment, ...env };
  process.argv = [process.execPath, main, ...args];
  const said = { out: "", err: "" };
  const into = (name) => (text, encoding, done) => {
    said[name] += text;
    (typeof encoding === "function" ? encoding : done)?.();
    return true;
  };
  stdout.write = into("out");
  stderr.write = into("err");
  let code;
  process.exit = (given) => {
    code = given;
    throw ended;
  };
  try {
    await import(`${pathToFileURL(main).href}?${index}`);
  } catch (thrown) {
    if (thrown !== ended) throw thrown;
  }
  return { code, ...said };
}

const results = [];
for (const [index, command] of JSON.parse(commands).entries()) results.push(await run(command, index));
print(JSON.stringify(results), () => exit(0));
