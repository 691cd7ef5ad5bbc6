import { parseRegistry } from '#domain/registry/registry.ts';
import { RegistryError } from '#domain/registry/registry-errors.ts';
import { CommandError } from '../terminal/command-errors.ts';
import { fileText } from './pulled-copy.ts';

/** @throws {CommandError} when a text is no registry at all */
export function assertRegistryText(text: string, file: string): void {
  try {
    parseRegistry(text);
  } catch (error) {
    if (!(error instanceof RegistryError)) throw error;
    const check = `"daybook check ${file}" shows every problem`;
    throw new CommandError(`${file} cannot be used: ${error.message}. ${check}`, { cause: error });
  }
}

/**
 * The text of the registry in a file.
 *
 * @throws {CommandError} when there is none, or it is no registry at all
 */
export function ownText(file: string): string {
  const text = fileText(file);
  if (text === undefined) {
    throw new CommandError(`there is no ${file} here: "daybook registry pull ${file}" writes it`);
  }
  assertRegistryText(text, file);
  return text;
}
