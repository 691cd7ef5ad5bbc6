import type { ChildProcess } from 'node:child_process';
import type { ClientRequest, IncomingMessage } from 'node:http';
import * as fc from 'fast-check';
import { isMembers } from '#records/json/exact-json.ts';

/** A matcher of vitest, which types them all as `any`, as a value that any member of an expected object may have. */
export function matcher(asymmetric: unknown): unknown {
  return asymmetric;
}

/** Matches every value of a class, such as `String` or `Date`. It is `expect.any` without its type `any`. */
export function anyOf(type: unknown): unknown {
  return expect.any(type);
}

/** The value itself. Throws `Error` with the name of what is missing when there is no value. */
export function defined<T>(value: T | undefined | null, what = 'a value'): T {
  if (value === undefined || value === null) throw new Error(`${what} is missing`);
  return value;
}

/** The same array. Throws `TypeError` when the value is not an array. */
export function elementsOf(value: unknown): unknown[] {
  if (!Array.isArray(value)) throw new TypeError(`this is not an array: ${String(value)}`);
  return value;
}

/** Waits until the process has ended and its output is read. Gives its exit code, `null` when a signal ended it. */
export function exitCodeOf(child: ChildProcess): Promise<number | null> {
  return new Promise((resolve, reject) => {
    child.once('error', reject);
    child.once('close', resolve);
  });
}

export { fc };

type Arbitraries<Values> = { [At in keyof Values]: fc.Arbitrary<Values[At]> };
type Given<Values extends [unknown, ...unknown[]], Holds> =
  [holds: Holds] | [parameters: fc.Parameters<Values>, holds: Holds];

/** Checks with many values, as fast-check chooses them, that a property holds: that nothing is thrown. */
export function forAll<Values extends [unknown, ...unknown[]]>(
  arbitraries: Arbitraries<Values>,
  ...given: Given<Values, (...values: Values) => void>
): void {
  const [parameters, holds] = given.length === 1 ? [{}, given[0]] : given;
  fc.assert(fc.property(...arbitraries, holds), parameters);
}

export async function forAllAsync<Values extends [unknown, ...unknown[]]>(
  arbitraries: Arbitraries<Values>,
  ...given: Given<Values, (...values: Values) => Promise<void>>
): Promise<void> {
  const [parameters, holds] = given.length === 1 ? [{}, given[0]] : given;
  await fc.assert(fc.asyncProperty(...arbitraries, holds), parameters);
}

const TRIES = 5;

/** One good try of five is enough: on a busy machine, a single measurement can be wrong by several times. */
export async function expectLinearTime(work: (size: number) => unknown, size: number): Promise<void> {
  const timeOf = async (some: number) => {
    const begun = process.cpuUsage();
    await work(some);
    const { user, system } = process.cpuUsage(begun);
    return (user + system) / 1_000;
  };
  let growth = Infinity;
  for (let tries = 0; tries < TRIES && growth > 24; tries += 1) {
    const small = await timeOf(size);
    growth = (await timeOf(size * 8)) / Math.max(small, 2);
  }
  expect(growth).toBeLessThanOrEqual(24);
}

/** The same object, its members readable by name. Throws `TypeError` when the value is not an object. */
export function membersOf(value: unknown): Record<string, unknown> {
  if (!isMembers(value)) throw new TypeError(`this is not an object: ${String(value)}`);
  return value;
}

/** In the order that they came in. Throws `Error` when a member on the path or the list of objects is missing. */
export function recordsAt(answer: unknown, ...path: string[]): Record<string, unknown>[] {
  const list = path.reduce((value, member) => membersOf(value)[member], answer);
  if (!Array.isArray(list)) throw new Error(`${path.join('.')} is not a list`);
  return list.map((item) => membersOf(item));
}

/** Waits for the head of the answer to a request. Rejects with the request's error. */
export function responseTo(request: ClientRequest): Promise<IncomingMessage> {
  return new Promise((resolve, reject) => {
    request.once('error', reject);
    request.once('response', resolve);
  });
}

/** Matches every text that the pattern matches. It is `expect.stringMatching` without its type `any`. */
export function textLike(pattern: RegExp | string): unknown {
  return expect.stringMatching(pattern);
}

/** Matches every text that contains the part. It is `expect.stringContaining` without its type `any`. */
export function textWith(part: string): unknown {
  return expect.stringContaining(part);
}

/** Every character of Unicode. The unit `binary` of fast-check is the same, and takes seconds when it is first used. */
export const ANY_CHARACTER = fc
  .integer({ min: 0, max: 0x10_f7_ff })
  .map((place) => String.fromCodePoint(place < 0xd8_00 ? place : place + 0x8_00));
