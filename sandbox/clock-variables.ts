/** The variables by which Debian's `faketime` gives a process another date. */
const OF_FAKETIME = /^(?:FAKETIME|DONT_FAKE_MONOTONIC$|LD_PRELOAD$)/;

/** None with the machine's clock. Without them, a process with an environment of its own would have another date. */
export function clockVariables(environment: NodeJS.ProcessEnv = process.env): Record<string, string> {
  return Object.fromEntries(
    Object.entries(environment).flatMap(([name, value]) =>
      value !== undefined && OF_FAKETIME.test(name) ? [[name, value]] : [],
    ),
  );
}
