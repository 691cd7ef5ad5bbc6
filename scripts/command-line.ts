import { parseArgs } from 'node:util';
import type { ParseArgsOptionsConfig } from 'node:util';

/**
 * Reads the command line of this process. `-h` and `--help` print the usage and end the process.
 * An unknown option ends it with a line on stderr, status 2.
 *
 * @param options as `parseArgs` takes them; a flag is `{ type: 'boolean' }`
 * @returns the values that were given
 */
export function readOptions<O extends ParseArgsOptionsConfig>(usage: string, options: O) {
  return readArguments(usage, options, false).values;
}

/** The same, with what stands beside the options. */
export function readArguments<O extends ParseArgsOptionsConfig>(
  usage: string,
  options: O,
  allowPositionals = true,
) {
  if (process.argv.slice(2).some((given) => given === '-h' || given === '--help')) {
    process.stdout.write(`${usage.trim()}\n`);
    process.exit(0);
  }
  try {
    return parseArgs({ options, allowPositionals });
  } catch (error) {
    const message = error instanceof Error ? error.message : String(error);
    process.stderr.write(`${message.split(/[.\n]/)[0] ?? message}; see --help\n`);
    process.exit(2);
  }
}
