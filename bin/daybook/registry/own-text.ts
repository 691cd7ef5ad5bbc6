import { LARGEST_REGISTRY } from '#records/storage/object-bounds.ts';
import { parseRegistry } from '#registry/registry.ts';
import { RegistryError } from '#registry/registry-errors.ts';
import type { Lines } from '../stage/lines.ts';
import { CommandError, UsageError } from '../terminal/command-errors.ts';
import { fileText } from '../files.ts';

/** @throws {CommandError} when a text is no registry at all */
export function assertRegistryText(text: string, file: string, lines: Lines): void {
  try {
    parseRegistry(text);
  } catch (error) {
    if (!(error instanceof RegistryError)) throw error;
    const check = `"${lines.daybook('check', file)}" shows every problem`;
    throw new CommandError(`${file} cannot be used: ${error.message}. ${check}`, { cause: error });
  }
}

/**
 * The text of the registry in a file.
 *
 * @throws {UsageError} when there is none
 * @throws {CommandError} when it is no registry at all
 */
export function ownText(file: string, lines: Lines): string {
  const text = fileText(file, LARGEST_REGISTRY);
  if (text === undefined) {
    throw new UsageError(`there is no ${file} here: "${lines.daybook('registry', 'pull', file)}" writes it`);
  }
  assertRegistryText(text, file, lines);
  return text;
}
