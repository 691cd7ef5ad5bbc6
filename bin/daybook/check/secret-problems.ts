import { isMembers } from '#records/json/exact-json.ts';
import { problemsOf, UNKNOWN } from '#registry/problem.ts';
import { MERCHANT_CODE } from '#registry/registry-schema.ts';
import { CANNOT_LOG_IN, canLogIn, entrySchema } from '#service/authentication/credentials.ts';
import { cipherSettingsSchema } from '#service/envelope/cipher.ts';
import type { FoundProblem } from './problem.ts';

const TOP = ['merchants', '$schema'];

/** Members that are not known, at one level. */
function unknownNames(
  value: unknown,
  names: readonly string[],
  at: readonly PropertyKey[],
  merchantCode: string | null,
): FoundProblem[] {
  if (!isMembers(value)) return [];
  return Object.keys(value)
    .filter((name) => !names.includes(name))
    .map((name) => {
      return { at: [...at, name], reason: UNKNOWN, value: undefined, candidates: names, merchantCode };
    });
}

/** Every problem of a merchant's entry in a secret. None has a value. */
function problemsOfEntry(code: string, entry: unknown): FoundProblem[] {
  const at = ['merchants', code];
  const merchantCode = MERCHANT_CODE.test(code) ? code : null;
  const none = { value: undefined, candidates: [], merchantCode };
  const found: FoundProblem[] = [];
  if (merchantCode === null) {
    found.push({ at, reason: 'is not a merchant code: letters, digits and "-", 64 at most', ...none });
  }
  if (!isMembers(entry)) return [...found, { at, reason: 'must be object', ...none }];
  const read = entrySchema.safeParse(entry);
  if (!read.success) {
    for (const problem of problemsOf(read.error, entry, at)) found.push({ ...problem, ...none });
  }
  const { accessToken, username, password, previous } = entry;
  const isGiven = (value: unknown) => (value === undefined ? undefined : 'given');
  const given = {
    accessToken: isGiven(accessToken),
    username: isGiven(username),
    password: isGiven(password),
  };
  if (!canLogIn(given)) found.push({ at, reason: CANNOT_LOG_IN, ...none });
  const shape = entrySchema.unwrap().shape;
  const ofCipher = Object.keys(cipherSettingsSchema.unwrap().shape);
  const ofPrevious = Object.keys(shape).filter((name) => name !== 'previous');
  const inner = isMembers(previous) ? previous.cipher : undefined;
  return [
    ...found,
    ...unknownNames(entry, Object.keys(shape), at, merchantCode),
    ...unknownNames(entry.cipher, ofCipher, [...at, 'cipher'], merchantCode),
    ...unknownNames(previous, ofPrevious, [...at, 'previous'], merchantCode),
    ...unknownNames(inner, ofCipher, [...at, 'previous', 'cipher'], merchantCode),
  ];
}

/**
 * Every problem of a secret. No problem has a value.
 *
 * @param json the parsed text
 */
export function secretProblems(json: unknown): FoundProblem[] {
  const none = { value: undefined, candidates: [], merchantCode: null };
  if (!isMembers(json)) return [{ at: [], reason: 'must be object', ...none }];
  const found = unknownNames(json, TOP, [], null);
  const { merchants } = json;
  if (!isMembers(merchants)) {
    const reason = merchants === undefined ? 'is missing, must be object' : 'must be object';
    return [...found, { at: ['merchants'], reason, ...none }];
  }
  for (const [code, entry] of Object.entries(merchants)) {
    for (const problem of problemsOfEntry(code, entry)) found.push(problem);
  }
  return found;
}
