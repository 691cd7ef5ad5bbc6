import * as fc from 'fast-check';
import { DaybookError } from '#records/errors/daybook-error.ts';
import { ANY_CHARACTER } from '../assertions/index.ts';

type Path = (string | number)[];

/** Placeholders for texts that no JavaScript value gives; see {@link textOf}. */
const DEEP = '\u0000deep';
const DOUBLED = '\u0000doubled';

const SPECIAL = [
  ...['', ' ', '0', '-1', 'NaN', 'null', '__proto__', 'constructor', 'x'.repeat(10_000), DEEP, DOUBLED],
  ...['\uFEFF', '\u0000', '\uD800', '\uE000', '\u202E\u2066', '\r\nBcc: x@example.com\r\n\r\n'],
  ...['"><script>alert(1)</script>', '=1+1', '../../etc/passwd'],
  ...['2026-02-30', '9999-99-99 99:99:99', '99999999999999999999999999999.999'],
  ...[0, -1, 1.5, 2 ** 53, -(2 ** 53), 1e21, Number.MAX_VALUE],
  ...['90071992547409931234567', '1e400', '-0', '0.1234567890123456789'].map((text) => JSON.rawJSON(text)),
  ...[null, true, [], {}, [[]], [null], { length: 1 }],
];

interface Mutation {
  at: number;
  does: 'delete' | 'replace' | 'repeat' | 'rename' | 'add';
  value: unknown;
  name: string;
}

const mutation: fc.Arbitrary<Mutation> = fc.record({
  at: fc.nat(),
  does: fc.constantFrom('delete', 'replace', 'replace', 'replace', 'repeat', 'rename', 'add'),
  value: fc.oneof(
    { weight: 4, arbitrary: fc.constantFrom(...SPECIAL) },
    fc.jsonValue(),
    fc.string({ unit: ANY_CHARACTER }),
  ),
  name: fc.oneof(fc.constantFrom('__proto__', 'constructor', 'toString', '', 'Id', 'ID'), fc.string()),
});

function pathsOf(value: unknown, path: Path = []): Path[] {
  if (typeof value !== 'object' || value === null || JSON.isRawJSON(value)) return [path];
  const within = Array.isArray(value)
    ? value.flatMap((item, index) => pathsOf(item, [...path, index]))
    : Object.entries(value).flatMap(([name, member]) => pathsOf(member, [...path, name]));
  return [path, ...within];
}

function memberOf(value: unknown, name: string | number): unknown {
  return typeof value === 'object' && value !== null ? Reflect.get(value, name) : undefined;
}

function put(target: object, name: string | number, value: unknown): void {
  Object.defineProperty(target, name, { value, enumerable: true, writable: true, configurable: true });
}

/** A separate copy for every place, because the next mutation may change it. */
function copyOf(value: unknown): unknown {
  if (typeof value !== 'object' || value === null || JSON.isRawJSON(value)) return value;
  if (Array.isArray(value)) return value.map(copyOf);
  const copy = {};
  for (const [name, member] of Object.entries(value)) put(copy, name, copyOf(member));
  return copy;
}

function mutate(document: unknown, { at, does, value: given, name }: Mutation): unknown {
  const value = copyOf(given);
  const paths = pathsOf(document);
  const path = paths[at % paths.length] ?? [];
  const last = path.at(-1);
  if (last === undefined) return does === 'replace' ? value : document;
  const parent = path.slice(0, -1).reduce<unknown>(memberOf, document);
  if (typeof parent !== 'object' || parent === null) return document;
  const present = memberOf(parent, last);
  if (does === 'replace') put(parent, last, value);
  if (does === 'add' && !Array.isArray(parent)) put(parent, name, value);
  if (Array.isArray(parent)) {
    if (does === 'delete') parent.splice(Number(last), 1);
    if (does === 'repeat') parent.push(copyOf(present), ...Array<null>(50).fill(null));
  } else if (does === 'delete' || does === 'rename') {
    Reflect.deleteProperty(parent, last);
    if (does === 'rename') put(parent, name, present);
  }
  return document;
}

/** The document as JSON text; nesting past every stack (once) and members that stand twice are written in no other way. */
function textOf(document: unknown): string {
  return JSON.stringify(document)
    .replace(JSON.stringify(DEEP), `${'[{"a":'.repeat(20_000)}1${'}]'.repeat(20_000)}`)
    .replaceAll(JSON.stringify(DOUBLED), '{"a":1,"a":2,"__proto__":3}');
}

/** The text of a valid document after up to four random changes. */
export function mutatedText(document: unknown): fc.Arbitrary<string> {
  return fc
    .array(mutation, { maxLength: 4 })
    .map((mutations) => textOf(mutations.reduce<unknown>(mutate, JSON.parse(JSON.stringify(document)))));
}

/** Texts that have nothing to do with the document, or are cut, or are that of {@link mutatedText}. */
export function hostileText(document: unknown): fc.Arbitrary<string> {
  const cut = fc
    .tuple(mutatedText(document), fc.nat())
    .map(([text, at]) => text.slice(0, at % (text.length + 1)));
  return fc.oneof(
    { weight: 6, arbitrary: mutatedText(document) },
    cut,
    fc.json(),
    fc.string({ unit: ANY_CHARACTER }),
    fc.constantFrom('', '[', '{', '"', '\uFEFF{}'),
    fc.constantFrom('['.repeat(200_000), '{"a":'.repeat(200_000), '"'.repeat(100_000)),
  );
}

/** The parsed value of such a text, as a function gets its event. */
export function hostileValue(document: unknown): fc.Arbitrary<unknown> {
  return mutatedText(document).map((text): unknown => JSON.parse(text));
}

/** What `work` gives; `undefined` where it throws an error of Daybook's own. Any other error is the test's. */
export function orNamedError<T>(work: () => T): T | undefined {
  try {
    return work();
  } catch (error) {
    if (error instanceof DaybookError) return undefined;
    throw error;
  }
}

export async function orNamedErrorLater<T>(work: () => Promise<T>): Promise<T | undefined> {
  try {
    return await work();
  } catch (error) {
    if (error instanceof DaybookError) return undefined;
    throw error;
  }
}

/** For a longer run: `FUZZ_RUNS=10000`. A failure prints the seed and the path to repeat it with. */
export function runs(usual: number): { numRuns: number } {
  return { numRuns: Number(process.env['FUZZ_RUNS'] ?? usual) };
}
