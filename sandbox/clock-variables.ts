/** What Debian's `faketime` puts a process on another date by. */
const OF_FAKETIME = /^(?:FAKETIME|DONT_FAKE_MONOTONIC$|LD_PRELOAD$)/;

/**
 * The variables that shift this process's clock; none where it goes by the machine's. A process that is started with variables
 * of its own needs these as well: without them it would go by another date than the one that started it.
 */
export function clockVariables(environment: NodeJS.ProcessEnv = process.env): Record<string, string> {
  return Object.fromEntries(
    Object.entries(environment).flatMap(([name, value]) =>
      value !== undefined && OF_FAKETIME.test(name) ? [[name, value]] : [],
    ),
  );
}
