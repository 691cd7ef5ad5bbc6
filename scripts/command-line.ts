import { parseArgs } from 'node:util';

/**
 * Reads the command line of a script that only has flags. `-h` and `--help` print the usage and end the process.
 * An unknown option ends it with a line on stderr, status 2.
 *
 * @param flags without their dashes
 * @returns the flags that were given
 */
export function readFlags(usage: string, flags: readonly string[] = []): ReadonlySet<string> {
  const flag = { type: 'boolean' } as const;
  try {
    const { values } = parseArgs({
      options: { ...Object.fromEntries(flags.map((name) => [name, flag])), help: { ...flag, short: 'h' } },
    });
    if (values.help === true) {
      process.stdout.write(`${usage.trim()}\n`);
      process.exit(0);
    }
    return new Set(Object.keys(values));
  } catch (error) {
    const message = error instanceof Error ? error.message : String(error);
    process.stderr.write(`${message.split(/[.\n]/)[0] ?? message}; see --help\n`);
    process.exit(2);
  }
}
