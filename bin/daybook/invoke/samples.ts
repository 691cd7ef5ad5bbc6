import { globSync, readFileSync } from 'node:fs';
import { basename, join, resolve } from 'node:path';
import type { FunctionName } from '#lib/functions.ts';

const EVENTS = resolve(import.meta.dirname, '../../../events');

/** The event of a sample in `events/`. */
export interface Sample {
  name: string;
  event: unknown;
}

/** The samples of events for a function, by name. */
export function samplesOf(functionName: FunctionName): Sample[] {
  const folder = join(EVENTS, functionName);
  return globSync('*.json', { cwd: folder })
    .sort()
    .map((file) => {
      const event: unknown = JSON.parse(readFileSync(join(folder, file), 'utf8'));
      return { name: basename(file, '.json'), event };
    });
}
