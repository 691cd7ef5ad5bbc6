import { basename, dirname, join } from 'node:path';
import * as z from 'zod';
import { LARGEST_REGISTRY } from '#records/storage/object-bounds.ts';
import { fileText, writeFile } from '../files.ts';
import type { Stage } from '../stage/stage.ts';

/** The registry as it was pulled or pushed last, beside the file that a person edits. */
const pulledSchema = z.object({ bucket: z.string(), key: z.string(), version: z.string(), text: z.string() });

/** The registry as this file last had it in common with the stage. */
export type PulledCopy = Pick<z.infer<typeof pulledSchema>, 'version' | 'text'>;

/** Where the copy is: `.merchants.json.pulled` beside `merchants.json`. */
export function pulledFile(file: string): string {
  return join(dirname(file), `.${basename(file)}.pulled`);
}

/** The copy of that file's registry, `undefined` when the file was not pulled from this stage. */
export function readPulled(file: string, { bucket, registryKey }: Stage): PulledCopy | undefined {
  // The text is a string in it: quotes and line breaks take two characters.
  const text = fileText(pulledFile(file), 3 * LARGEST_REGISTRY);
  if (text === undefined) return undefined;
  let json: unknown;
  try {
    json = JSON.parse(text);
  } catch {
    return undefined;
  }
  const pulled = pulledSchema.safeParse(json).data;
  return pulled?.bucket === bucket && pulled.key === registryKey ? pulled : undefined;
}

/** Remembers which registry the file was pulled from. */
export function rememberPulled(file: string, { bucket, registryKey: key }: Stage, copy: PulledCopy): void {
  const { version, text } = copy;
  writeFile(pulledFile(file), `${JSON.stringify({ bucket, key, version, text })}\n`);
}
