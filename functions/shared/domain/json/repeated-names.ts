import { isMembers } from './exact-json.ts';
import { endOfString } from './json-outline.ts';

const NAME_AS_SHOWN = /^[A-Za-z_][A-Za-z0-9_-]{0,63}$/;

/** A step of a path in a JSON text: a member's name, or a place in an array. */
export type JsonStep = string | number;

/**
 * Names of a parsed value's objects, counted: fewer than its text has where one object has a name twice. Without a call
 * for each level, since a registry or a secret may nest as deep as its text is long.
 */
export function countNames(value: unknown): number {
  let count = 0;
  const open: unknown[] = [value];
  while (open.length > 0) {
    const next = open.pop();
    if (Array.isArray(next)) {
      for (const item of next) if (typeof item === 'object' && item !== null) open.push(item);
    } else if (isMembers(next)) {
      for (const name in next) {
        count += 1;
        const member = next[name];
        if (typeof member === 'object' && member !== null) open.push(member);
      }
    }
  }
  return count;
}

/** An array or object that is open where a text is being read. */
interface Open {
  /** Names of an object so far; `null` for an array. */
  names: Set<string> | null;
  step: JsonStep;
  /** Whether the next string is a name. */
  beforeName: boolean;
}

function nameOf(json: string, start: number, end: number): string {
  const text = json.slice(start + 1, end);
  if (!text.includes('\\')) return text;
  const name: unknown = JSON.parse(json.slice(start, end + 1));
  return typeof name === 'string' ? name : text;
}

/** Goes through the objects of a JSON text and tells of every name as it comes. */
function readNames(json: string, take: (open: readonly Open[], isRepeated: boolean) => boolean): void {
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
          if (!take(open, isRepeated)) return;
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
 * Finds the names that stand twice in one object; `JSON.parse` keeps the last value of such a one and says nothing.
 *
 * @param json text that `JSON.parse` has taken
 * @param take gets the path of each as often as it stands there again, and says whether to go on
 */
export function findRepeatedNames(json: string, take: (path: readonly JsonStep[]) => boolean): void {
  readNames(json, (open, isRepeated) => !isRepeated || take(open.map(({ step }) => step)));
}

/** The path of the first object that has more names than `most`; `[]` where that is the text's own. */
export function pathOfWidest(json: string, most: number): readonly JsonStep[] {
  let path: readonly JsonStep[] = [];
  readNames(json, (open) => {
    const isWidest = (open.at(-1)?.names?.size ?? 0) > most;
    if (isWidest) path = open.slice(0, -1).map(({ step }) => step);
    return !isWidest;
  });
  return path;
}

/** A step as errors and manifests may show it. A name that is no plain word is not shown, since it could hold anything. */
export function shownStep(step: JsonStep): JsonStep {
  return typeof step === 'number' || NAME_AS_SHOWN.test(step) ? step : '(another name)';
}
