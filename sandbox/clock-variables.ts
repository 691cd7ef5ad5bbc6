/** The variables by which Debian's `faketime` gives a process another date. */
const OF_FAKETIME = /^(?:FAKETIME|DONT_FAKE_MONOTONIC$|LD_PRELOAD$)/;

/**
 * The variables that shift this process's clock; none when it uses the machine's clock. A process that is started with its own
 * environment needs them, too. Without them it would have another date than the process that started it.
 */
export function clockVariables(environment: NodeJS.ProcessEnv = process.env): Record<string, string> {
  return Object.fromEntries(
    Object.entries(environment).flatMap(([name, value]) =>
      value !== undefined && OF_FAKETIME.test(name) ? [[name, value]] : [],
    ),
  );
}
