import { endOfString, isMembers } from './exact-json.ts';

const NAME_AS_SHOWN = /^[A-Za-z_][A-Za-z0-9_-]{0,63}$/;

/** A step of a path in a JSON text: a member's name, or a place in an array. */
export type JsonStep = string | number;

function isOpen(value: unknown): boolean {
  return typeof value === 'object' && value !== null;
}

/** Smaller than in the text when an object has a name twice. Not recursive: a registry or secret may nest deeply. */
export function countNames(value: unknown): number {
  let count = 0;
  const open: unknown[] = [value];
  while (open.length > 0) {
    const next = open.pop();
    if (Array.isArray(next)) {
      for (const item of next) if (isOpen(item)) open.push(item);
    } else if (isMembers(next)) {
      // A list of names or values for each object would be much garbage.
      for (const name in next) {
        count += 1;
        if (isOpen(next[name])) open.push(next[name]);
      }
    }
  }
  return count;
}

interface Open {
  names: Set<string> | null;
  step: JsonStep;
  beforeName: boolean;
}

function nameOf(json: string, start: number, end: number): string {
  const text = json.slice(start + 1, end);
  if (!text.includes('\\')) return text;
  const name: unknown = JSON.parse(json.slice(start, end + 1));
  return typeof name === 'string' ? name : text;
}

function readNames(
  json: string,
  take: (open: readonly Open[], isRepeated: boolean, at: number) => boolean,
): void {
  const open: Open[] = [];
  for (let at = 0; at < json.length; at += 1) {
    const inner = open.at(-1);
    switch (json.charAt(at)) {
      case '"': {
        const end = endOfString(json, at);
        if (inner?.beforeName === true && inner.names !== null) {
          inner.step = nameOf(json, at, end);
          inner.beforeName = false;
          const isRepeated = inner.names.has(inner.step);
          inner.names.add(inner.step);
          if (!take(open, isRepeated, at)) return;
        }
        at = end;
        break;
      }
      case '{':
        open.push({ names: new Set(), step: '', beforeName: true });
        break;
      case '[':
        open.push({ names: null, step: 0, beforeName: false });
        break;
      case '}':
      case ']':
        open.pop();
        break;
      case ',':
        if (inner === undefined) break;
        if (typeof inner.step === 'number') inner.step += 1;
        else inner.beforeName = true;
        break;
    }
  }
}

/**
 * Finds names that appear twice in one object. `JSON.parse` keeps the last value of such a name and reports
 * nothing.
 * @param json text that `JSON.parse` accepts
 * @param take gets the path of each repetition and its place in the text, and returns whether to go on
 */
export function findRepeatedNames(
  json: string,
  take: (path: readonly JsonStep[], at: number) => boolean,
): void {
  readNames(json, (open, isRepeated, at) => {
    return (
      !isRepeated ||
      take(
        open.map(({ step }) => step),
        at,
      )
    );
  });
}

/** The path of the first object with more names than `most`, `[]` for the outermost object. */
export function pathOfWidest(json: string, most: number): readonly JsonStep[] {
  let path: readonly JsonStep[] = [];
  readNames(json, (open) => {
    const isWidest = (open.at(-1)?.names?.size ?? 0) > most;
    if (isWidest) path = open.slice(0, -1).map(({ step }) => step);
    return !isWidest;
  });
  return path;
}

/** A step for errors and manifests. A name that is not a plain word is replaced: it could contain anything. */
export function shownStep(step: JsonStep): JsonStep {
  return typeof step === 'number' || NAME_AS_SHOWN.test(step) ? step : '(another name)';
}
