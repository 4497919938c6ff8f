/** What a program needs to start at all: to be found, and to find its interpreter. Windows needs more for that. */
const NEEDED =
  process.platform === "win32" ? ["PATH", "PATHEXT", "SYSTEMROOT", "SYSTEMDRIVE", "COMSPEC", "TEMP", "TMP"] : ["PATH"];

/** The whole environment of a started server: what was named for it, and of this process's what a program needs to start. */
export function childEnvironment(named: Readonly<Record<string, string>>): Record<string, string> {
  return { ...neededEnvironment(), ...named };
}

/** What this process has of that. */
export function neededEnvironment(): Record<string, string> {
  const environment: Record<string, string> = {};
  for (const name of NEEDED) {
    // oxlint-disable-next-line node/no-process-env -- how programs are found is a matter of the machine, not of the app
    const value = process.env[name];
    if (value !== undefined) environment[name] = value;
  }
  return environment;
}
