import { LARGEST_REGISTRY } from '#records/storage/object-bounds.ts';
import { parseRegistry } from '#registry/registry.ts';
import { RegistryError } from '#registry/registry-errors.ts';
import type { Lines } from '../stage/lines.ts';
import { CommandError, UsageError } from '../terminal/command-errors.ts';
import { fileText, jsonOrNothing, writeFile } from '../files.ts';
import { basename, dirname, join } from 'node:path';
import * as z from 'zod';
import type { Stage } from '../stage/stage.ts';
import type { StoredRegistry } from './stored-registry.ts';

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
  try {
    parseRegistry(text);
    return text;
  } catch (error) {
    if (!(error instanceof RegistryError)) throw error;
    const check = `"${lines.daybook('check', file)}" shows every problem`;
    throw new CommandError(`${file} cannot be used: ${error.message}. ${check}`, { cause: error });
  }
}

/** The registry as it was pulled or pushed last, beside the file that a person edits. */
const pulledSchema = z.object({ bucket: z.string(), key: z.string(), version: z.string(), text: z.string() });

/** The registry as this file last had it in common with the stage. */
type PulledCopy = Pick<z.infer<typeof pulledSchema>, 'version' | 'text'>;

/** Where the copy is: `.merchants.json.pulled` beside `merchants.json`. */
function pulledFile(file: string): string {
  return join(dirname(file), `.${basename(file)}.pulled`);
}

/** The copy of that file's registry, `undefined` when the file was not pulled from this stage. */
export function readPulled(file: string, { bucket, registryKey }: Stage): PulledCopy | undefined {
  // The text is a string in it: quotes and line breaks take two characters.
  const text = fileText(pulledFile(file), 3 * LARGEST_REGISTRY);
  if (text === undefined) return undefined;
  const pulled = pulledSchema.safeParse(jsonOrNothing(text)).data;
  return pulled?.bucket === bucket && pulled.key === registryKey ? pulled : undefined;
}

/** Remembers which registry the file was pulled from. */
export function rememberPulled(file: string, { bucket, registryKey: key }: Stage, copy: PulledCopy): void {
  const { version, text } = copy;
  writeFile(pulledFile(file), `${JSON.stringify({ bucket, key, version, text })}\n`);
}

/** Whether others changed the registry since the file was pulled. `unknown`: it was not pulled from this stage. */
export function changesOfOthers(
  stage: Stage,
  file: string,
  own: string,
  stored: StoredRegistry | undefined,
): 'none' | 'changed' | 'unknown' {
  if (stored === undefined || stored.text === own) return 'none';
  const copy = readPulled(file, stage);
  if (copy === undefined) return 'unknown';
  return copy.text === stored.text ? 'none' : 'changed';
}
