import { parseExactJson } from '#domain/json/exact-json.ts';
import { outlineOf } from '#domain/json/json-outline.ts';
import { countNames, findRepeatedNames, pathOfWidest, shownStep } from '#domain/json/repeated-names.ts';
import type { JsonStep } from '#domain/json/repeated-names.ts';
import { fieldPath } from '#domain/json/schema-issue.ts';
import { AnswerTooLargeError, ContractError } from '../errors.ts';
import type { Exchange } from '../errors.ts';

/**
 * What an answer may hold. The contract's answers nest six levels and their records have 34 members; 8 MiB of the shortest
 * records that it allows have half a million values, 17 characters each. Nobody's page comes near.
 */
const MOST = { levels: 100, values: 750_000, widest: 1_000 };
/** Characters a value must take at least, beyond the first: a value costs time and memory however short it is. */
const [SHORTEST_VALUE, FREE_VALUES] = [8, 20_000];
const BYTE_ORDER_MARK = '\uFEFF';
/** Bytes of memory that a parsed value takes beside its text; ordinary pages a third of it, the worst three times as much. */
const BYTES_A_VALUE = 48;

/** How an answer is opened. */
export interface Opening {
  /** Bytes of memory that what is parsed may take, as {@link Opening.sized} is told of them. */
  room: number;
  /** Gets an estimate of the bytes of memory that the answer takes, before it is parsed. */
  sized: (bytes: number) => void;
  /** Gets the place in `response` of each name that stands twice, and says whether that is the caller's to tell of. */
  repeated: (path: readonly JsonStep[]) => boolean;
}

/** Opens whatever is no more than an answer may be, and no name may stand twice. */
export const WHOLE: Opening = { room: Infinity, sized: () => undefined, repeated: () => false };

/** A text that was parsed, `body` `undefined` where it is no JSON. `repeating` is the text where a name stands twice in it. */
export interface Parsed {
  body: unknown;
  repeating: string | undefined;
}

function shownPath(path: readonly JsonStep[]): string {
  return path.length === 0 ? '(root)' : fieldPath(path.map(shownStep));
}

/** Where the widest object stands, as far as that can be told of what may be no JSON. */
function placeOfWidest(text: string): string {
  try {
    return shownPath(pathOfWidest(text, MOST.widest));
  } catch {
    return '(root)';
  }
}

/**
 * Looks at the text before it is parsed, since most of what it costs comes then.
 *
 * @throws {ContractError} for what nests too deep, which would overflow the stack where it is read or written, and for
 *   an object of too many members
 * @throws {AnswerTooLargeError} for more values than there may be, or than there is room for
 */
export function parsedAnswer(text: string, exchange: Exchange, opening: Opening): Parsed {
  const most = { ...MOST, values: Math.min(MOST.values, FREE_VALUES + text.length / SHORTEST_VALUE) };
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
  if (size > opening.room) throw new AnswerTooLargeError(exchange, 'the answer is too large to be held');
  let body: unknown;
  try {
    // A byte order mark is no part of the JSON, and may be overlooked (RFC 8259, 8.1).
    const json = text.startsWith(BYTE_ORDER_MARK) ? text.slice(1) : text;
    body = json === text ? parseExactJson(json, largeIntegers) : parseExactJson(json);
  } catch {
    // The parser's message quotes the text.
    return { body: undefined, repeating: undefined };
  }
  return { body, repeating: countNames(body) < names ? text : undefined };
}
const RESPONSE = 'response';

/**
 * Of two values under one name one is lost, and nobody can say which of them is meant.
 *
 * @throws {ContractError} for the first that is not the caller's to tell of
 */
export function tellRepeated(text: string, exchange: Exchange, repeated: Opening['repeated']): void {
  findRepeatedNames(text, (path) => {
    const [first, ...inner] = path;
    if (first !== RESPONSE || inner.length === 0 || !repeated(inner)) {
      throw new ContractError(exchange, shownPath(path), 'stands there twice');
    }
    return true;
  });
}
