import type { Stage } from '../stage/stage.ts';
import { mergedRegistry } from './document/merge.ts';
import { readPulled } from './pulled-copy.ts';
import type { StoredRegistry } from './stored-registry.ts';

/** What a push of a file would write. */
export interface Candidate {
  /** Mine, with the changes that others made since it was pulled. */
  text: string;
  /** Whether others changed the registry since. `unknown`: the file was not pulled from this stage. */
  others: 'none' | 'changed' | 'unknown';
  /** What both changed. */
  conflicts: string[];
}

/** Brings together the person's own text and what the stage has now. */
export function withOthers(
  stage: Stage,
  file: string,
  own: string,
  stored: StoredRegistry | undefined,
): Candidate {
  const alone: Candidate = { text: own, others: 'none', conflicts: [] };
  if (stored === undefined || stored.text === own) return alone;
  const copy = readPulled(file, stage);
  if (copy === undefined) return { ...alone, others: 'unknown' };
  if (copy.text === stored.text) return alone;
  return { ...mergedRegistry(copy.text, own, stored.text), others: 'changed' };
}
