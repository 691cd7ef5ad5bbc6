import { isUtf8 } from 'node:buffer';
import type * as z from 'zod';
import { isMembers, mostValuesIn, outlineOf, parseExactJson } from '#records/json/exact-json.ts';
import { countNames, findRepeatedNames, pathOfWidest, shownStep } from '#records/json/repeated-names.ts';
import type { JsonStep } from '#records/json/repeated-names.ts';
import { fieldPath, firstIssue } from '#records/json/schema-issue.ts';
import type { Cipher } from './cipher.ts';
import {
  AnswerTooLargeError,
  CipherError,
  ContractError,
  ForbiddenError,
  InvalidRequestError,
  LoginRefusedError,
  MalformedAnswerError,
  NotFoundError,
  RateLimitedError,
  RefusedError,
  ServerError,
} from '../errors.ts';
import type { Exchange, PaymentsError } from '../errors.ts';
import { readRetryAfter } from '../sending/retry.ts';
import type { HttpAnswer } from '../sending/transport.ts';

/**
 * The most that an answer may contain. The contract's answers nest six levels, and their records have 34
 * members. In 8 MiB, the shortest allowed records have half a million values of 17 characters each. No real
 * page comes near.
 */
const MOST = { levels: 100, values: 750_000, widest: 1_000 };
const BYTE_ORDER_MARK = '\uFEFF';
/** Bytes of memory, besides the text. Ordinary pages take a third of it, the worst three times as much. */
const BYTES_A_VALUE = 48;

export interface Opening {
  /** Bytes of memory that the parsed answer may take, as in {@link Opening.sized}. */
  room: number;
  /** Gets an estimate of the memory that the answer takes, in bytes, before it is parsed. */
  sized: (bytes: number) => void;
  /** Gets the path in `response` of each name that appears twice. Returns whether the caller reports it. */
  repeated: (path: readonly JsonStep[]) => boolean;
}

/** Opens any answer within the limits. No name may appear twice. */
const WHOLE: Opening = { room: Infinity, sized: () => undefined, repeated: () => false };

/** `body` is `undefined` when the text is not JSON. `repeating` is the text when a name appears twice in it. */
interface Parsed {
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

/**
 * Checks the text before it is parsed, because parsing costs the most.
 * @throws {ContractError} when it nests too deep, which would overflow the stack, or when an object has too
 * many members
 * @throws {AnswerTooLargeError} when it has more values than allowed, or than there is memory for
 */
function parsedAnswer(text: string, exchange: Exchange, opening: Opening): Parsed {
  const most = { ...MOST, values: mostValuesIn(text, MOST.values) };
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

/** One of two values is lost. @throws {ContractError} for the first repeated name that the caller does not report */
function reportRepeated(text: string, exchange: Exchange, repeated: Opening['repeated']): void {
  findRepeatedNames(text, (path) => {
    const [first, ...inner] = path;
    if (first !== 'response' || inner.length === 0 || !repeated(inner)) {
      throw new ContractError(exchange, shownPath(path), 'appears twice');
    }
    return true;
  });
}

/** A media type without parameters. Any other text could contain anything. */
const MEDIA_TYPE = /^[a-z]{1,20}\/[a-z0-9][a-z0-9.+-]{0,40}(?=\s*(?:;|$))/;
/** Bytes in which the beginning of a page of HTML shows. */
const BEGINNING = 256;
const BEGINNINGS: readonly (readonly [RegExp, string])[] = [
  // RFC 1952, 2.3.1.
  [/^\x1f\x8b/, 'it begins like gzip, which was not announced or is cut off'],
  [/^<(?:!doctype html|html|head|body|!--)/i, 'it begins like HTML'],
  [/^</, 'it begins like XML'],
  [/^[{[]/, 'it begins like JSON'],
];

function typeOf(contentType: string | undefined): string {
  if (contentType === undefined) return 'no content type';
  return MEDIA_TYPE.exec(contentType.toLowerCase())?.[0] ?? 'another content type';
}

function beginningOf(body: Buffer): string {
  if (body.length === 0) return 'it is empty';
  const text = body.toString('latin1', 0, BEGINNING).replace(/^(?:\xef\xbb\xbf)?\s*/, '');
  return BEGINNINGS.find(([form]) => form.test(text))?.[1] ?? 'it begins with other bytes';
}

/** What can be said of an unreadable answer: HTTP status, content type, first bytes. It quotes nothing. */
export function formOf(answer: Pick<HttpAnswer, 'exchange' | 'contentType' | 'body'>): string {
  const { exchange, contentType, body } = answer;
  return `HTTP ${exchange.status}, ${typeOf(contentType)}, ${beginningOf(body)}`;
}

type AnsweredExchange = Exchange & { status: number };

const INVALID_DATA_CODES: readonly unknown[] = [506, '506'];

/** A refusal may have an empty text in its place. */
function encryptedIn(body: unknown): string | undefined {
  if (!isMembers(body)) return undefined;
  const { response, status } = body;
  if (response === '' && status === false) return undefined;
  return typeof response === 'string' ? response : undefined;
}

const CIPHERTEXT = '"response":"';
/** Characters. Shorter ciphertexts are parsed as they are. */
const LONG = 4_096;
const LEFT_OUT = '*';

/** The text of a body. Empty when it is not UTF-8: such a body is not JSON (RFC 8259, 8.1). */
function textOf(body: Buffer): string {
  // Not read with replacement characters: these would be sealed as if the service had sent them.
  return isUtf8(body) ? body.toString('utf8') : '';
}

/** A parser looks at every character, so the ciphertext is cut out. `undefined` when the form is not exactly this. */
function parsedBesideCiphertext(
  bytes: Buffer,
  exchange: Exchange,
): { hex: Buffer; repeating: string | undefined } | undefined {
  const found = bytes.indexOf(CIPHERTEXT);
  if (found === -1) return undefined;
  const start = found + CIPHERTEXT.length;
  const end = bytes.indexOf('"', start);
  if (end - start < LONG || bytes.lastIndexOf('{', start) !== bytes.indexOf('{')) return undefined;
  const after = textOf(bytes.subarray(end));
  const text = `${textOf(bytes.subarray(0, start))}${LEFT_OUT}${after}`;
  const { body, repeating } = parsedAnswer(text, exchange, WHOLE);
  if (encryptedIn(body) !== LEFT_OUT || after.includes(CIPHERTEXT)) return undefined;
  // What is not a digit is refused later, whatever it is read as.
  return { hex: bytes.subarray(start, end), repeating };
}

/** The error of a body, whatever the HTTP status (docs/contract.md, 7 Errors). `undefined` for other bodies. */
function errorOfBody(body: unknown, exchange: AnsweredExchange): PaymentsError | undefined {
  if (!isMembers(body)) return undefined;
  const { status } = body;
  const message = typeof body['message'] === 'string' ? body['message'] : '';
  // The only body of the contract without `status`.
  if (message === 'Internal server error occurred' && (status === undefined || status === false)) {
    return new ServerError(exchange, 'the service failed');
  }
  if (status !== false) return undefined;
  if (INVALID_DATA_CODES.includes(body['code']) || message === 'Invalid Request Data') {
    return new InvalidRequestError(exchange, 'the service cannot read the request (code 506)');
  }
  if (message.startsWith('Request not found'))
    return new NotFoundError(exchange, 'the service does not know it', true);
  if (message === 'Forbidden Access') return new ForbiddenError(exchange, 'the service refuses access');
  if (message === 'Invalid Signature.')
    return new LoginRefusedError(exchange, 'the service refuses the login');
  // The text comes from the service and may contain anything, so it is not passed on.
  return (
    errorOfStatus(exchange) ??
    new RefusedError(exchange, 'refused with a message that the contract does not list')
  );
}

function errorOfStatus(exchange: AnsweredExchange): PaymentsError | undefined {
  const { status } = exchange;
  if (status === 401 || status === 403) return new ForbiddenError(exchange, `refused (HTTP ${status})`);
  if (status === 404) return new NotFoundError(exchange, 'not found (HTTP 404)', false);
  if (status === 429) return new RateLimitedError(exchange, 'asked for fewer requests (HTTP 429)');
  if (status === 408 || status >= 500)
    return new ServerError(exchange, `the service failed (HTTP ${status})`);
  if (status >= 400) return new RefusedError(exchange, `refused (HTTP ${status})`);
  return undefined;
}

function decrypted(hex: Buffer, cipher: Cipher, exchange: Exchange, opening: Opening): Parsed {
  const { operation } = exchange;
  let inner: Parsed;
  try {
    inner = cipher.decrypted(hex, (text) => parsedAnswer(text.toString('utf8'), exchange, opening));
  } catch (error) {
    throw error instanceof CipherError ? new CipherError(error.why, operation) : error;
  }
  // A wrong key gives valid padding now and then. The decrypted text is then not JSON.
  if (inner.body === undefined) throw new CipherError('the decrypted text is not JSON', operation);
  return inner;
}

function openedBody(
  bytes: Buffer,
  cipher: Cipher | undefined,
  exchange: Exchange,
  opening: Opening,
): Parsed & { around?: string | undefined } {
  if (cipher === undefined) return parsedAnswer(textOf(bytes), exchange, opening);
  const long = parsedBesideCiphertext(bytes, exchange);
  try {
    if (long !== undefined) {
      return { ...decrypted(long.hex, cipher, exchange, opening), around: long.repeating };
    }
  } catch (error) {
    if (!(error instanceof CipherError)) throw error;
    // This is perhaps not JSON at all, or has digits in another form. The error comes from the parser.
  }
  const outer = parsedAnswer(textOf(bytes), exchange, opening);
  const encrypted = encryptedIn(outer.body);
  if (encrypted === undefined) return outer;
  return {
    ...decrypted(Buffer.from(encrypted), cipher, exchange, opening),
    around: outer.repeating,
  };
}

/**
 * Opens an answer and returns its `response` (docs/contract.md, 1 What the service does). The body decides
 * the error before the HTTP status.
 * @param cipher `undefined` for plain answers
 * @param now milliseconds UTC
 * @throws {PaymentsError} one class for each error body of the contract, otherwise by HTTP status
 * @throws {ContractError} when it is no envelope, nests too deep, is too wide, or repeats an unreported name
 * @throws {AnswerTooLargeError} when it has more values than allowed, or than there is memory for
 * @throws {CipherError} when it does not decrypt
 */
export function openAnswer(
  answer: HttpAnswer,
  cipher: Cipher | undefined,
  now: number,
  opening = WHOLE,
): unknown {
  const { exchange } = answer;
  const { body, repeating, around } = openedBody(answer.body, cipher, exchange, opening);
  if (isMembers(body) && body['status'] === true) {
    if (around !== undefined) reportRepeated(around, exchange, () => false);
    if (repeating !== undefined) reportRepeated(repeating, exchange, opening.repeated);
    return body['response'];
  }
  const error =
    errorOfBody(body, exchange) ??
    errorOfStatus(exchange) ??
    (body === undefined
      ? new MalformedAnswerError(
          exchange,
          `the answer is not JSON in UTF-8, or was cut off: ${formOf(answer)}`,
        )
      : new ContractError(exchange, 'status', 'must be true or false in an envelope'));
  error.retryAfter = readRetryAfter(answer.retryAfter, now);
  throw error;
}

/** Reads `response` with a schema. @throws {ContractError} with the first field that does not fit */
export function responseAs<T>(schema: z.ZodType<T>, response: unknown, exchange: Exchange): T {
  const result = schema.safeParse(response);
  if (result.success) return result.data;
  const { path, reason } = firstIssue(result.error);
  throw new ContractError(exchange, path === '(root)' ? 'response' : `response.${path}`, reason);
}
