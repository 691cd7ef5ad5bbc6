import { parseExactJson } from '#domain/json/exact-json.ts';
import { outlineOf } from '#domain/json/json-outline.ts';
import { countNames, findRepeatedNames, pathOfWidest, shownStep } from '#domain/json/repeated-names.ts';
import type { JsonStep } from '#domain/json/repeated-names.ts';
import { fieldPath } from '#domain/json/schema-issue.ts';
import { AnswerTooLargeError, ContractError } from '../errors.ts';
import type { Exchange } from '../errors.ts';

/** The contract's answers nest six levels, with 34 members a record. No real page comes near. */
const MOST = { levels: 100, values: 750_000, widest: 1_000 };
/**
 * Each value costs time and memory, however short: those beyond the first ones must have so many characters.
 */
const [SHORTEST_VALUE, FREE_VALUES] = [8, 20_000];
/** The most bytes of UTF-8 for one unit of a string. */
const MOST_BYTES_A_UNIT = 3;
const BYTE_ORDER_MARK = '\uFEFF';
/** Bytes of memory for a parsed value, besides its text: three times an ordinary one's. */
const BYTES_A_VALUE = 48;

export interface ReadRecords {
  start: number;
  end: number;
  values: number;
  /** Bytes of memory, an estimate. */
  size: number;
  put: (body: unknown) => boolean;
}

/** `undefined` when they must be parsed. @param bytes UTF-8 */
export type RecordReader = (bytes: Buffer) => ReadRecords | undefined;

export interface Opening {
  /** Bytes of memory that the parsed answer may take, as in {@link Opening.sized}. */
  room: number;
  /** Gets an estimate in bytes before the answer is parsed. */
  sized: (bytes: number) => void;
  repeated: (path: readonly JsonStep[]) => boolean;
  records?: RecordReader | undefined;
}

export const WHOLE: Opening = { room: Infinity, sized: () => undefined, repeated: () => false };

/** `body` is `undefined` when it is not JSON. `repeating`: the text, when a name appears twice in it. */
export interface Parsed {
  body: unknown;
  repeating: string | undefined;
}

function shownPath(path: readonly JsonStep[]): string {
  return path.length === 0 ? '(root)' : fieldPath(path.map(shownStep));
}

/** The place of the widest object, as far as it can be found in a text that may not be JSON. */
function placeOfWidest(text: string): string {
  try {
    return shownPath(pathOfWidest(text, MOST.widest));
  } catch {
    return '(root)';
  }
}

function mostValues(length: number): number {
  return Math.min(MOST.values, FREE_VALUES + length / SHORTEST_VALUE);
}

/**
 * Checks before it parses, which costs the most.
 * @throws {ContractError} when it nests too deep for the stack, or an object has too many members
 * @throws {AnswerTooLargeError} when it has more values than allowed, or than there is memory for
 */
export function parsedAnswer(text: string, exchange: Exchange, opening: Opening): Parsed {
  const most = { ...MOST, values: mostValues(text.length) };
  const { levels, values, names, widest, largeIntegers } = outlineOf(text, most);
  if (levels > MOST.levels) {
    throw new ContractError(exchange, '(root)', `nests deeper than ${MOST.levels} levels`);
  }
  if (values > most.values) {
    throw new AnswerTooLargeError(exchange, 'the answer holds more values than any page of the contract');
  }
  if (widest > MOST.widest) {
    throw new ContractError(exchange, placeOfWidest(text), `has more than ${MOST.widest} members`);
  }
  const size = text.length + values * BYTES_A_VALUE;
  opening.sized(size);
  if (size > opening.room)
    throw new AnswerTooLargeError(exchange, 'the answer is too large to be held in memory');
  let body: unknown;
  try {
    // A byte order mark is not part of the JSON and may be skipped (RFC 8259, 8.1).
    const json = text.startsWith(BYTE_ORDER_MARK) ? text.slice(1) : text;
    body = json === text ? parseExactJson(json, largeIntegers) : parseExactJson(json);
  } catch {
    // The parser's message quotes the text.
    return { body: undefined, repeating: undefined };
  }
  return { body, repeating: countNames(body) < names ? text : undefined };
}

/**
 * Parses around the records, which are read in their bytes, within the same limits. `undefined` when they
 * must be parsed together.
 * @param bytes UTF-8
 */
export function parsedBesideRecords(bytes: Buffer, exchange: Exchange, opening: Opening): Parsed | undefined {
  const read = opening.records?.(bytes);
  if (read === undefined) return undefined;
  const text = `${bytes.toString('utf8', 0, read.start)}${bytes.toString('utf8', read.end)}`;
  // No text has more values than units, and none has fewer units than a third of its bytes.
  const values = read.values + text.length;
  const size = read.size + text.length * (1 + BYTES_A_VALUE);
  if (values > mostValues(bytes.length / MOST_BYTES_A_UNIT) || size > opening.room) return undefined;
  const parsed = parsedAnswer(text, exchange, opening);
  if (parsed.repeating !== undefined || !read.put(parsed.body)) return undefined;
  opening.sized(size);
  return parsed;
}

const RESPONSE = 'response';

/**
 * One of two values is lost, and it is not known which is right.
 * @throws {ContractError} for the first name that the caller does not report
 */
export function reportRepeated(text: string, exchange: Exchange, repeated: Opening['repeated']): void {
  findRepeatedNames(text, (path) => {
    const [first, ...inner] = path;
    if (first !== RESPONSE || inner.length === 0 || !repeated(inner)) {
      throw new ContractError(exchange, shownPath(path), 'appears twice');
    }
    return true;
  });
}
