import { isMembers } from '#domain/json/exact-json.ts';
import { MERCHANT_CODE } from '#domain/registry/registry-schema.ts';
import { MOST_VALUES } from '#payments/authentication/credentials.ts';
import { readText } from './json-text.ts';
import { placedProblems } from './placed.ts';
import type { CheckProblem, FoundProblem } from './problem.ts';
import { secretProblems } from './secret-problems.ts';
import { LARGEST_SECRET } from '../secret/secret-text.ts';

/** A secret that was checked. */
export interface CheckedSecret {
  problems: CheckProblem[];
  /** The codes in it, `undefined` when it could not be read. */
  codes: ReadonlySet<string> | undefined;
}

function codesOf(json: unknown): string[] {
  return isMembers(json) && isMembers(json.merchants) ? Object.keys(json.merchants) : [];
}

/** The merchant of a place in the secret. */
function codeAt([first, code]: readonly PropertyKey[]): string | null {
  return first === 'merchants' && typeof code === 'string' && MERCHANT_CODE.test(code) ? code : null;
}

/**
 * Every problem of the text of a secret, in the order of the text. No problem shows a value.
 *
 * @param codesInRegistry of the merchants that use this secret. Left out: they are not compared
 */
export function checkSecretText(given: string, codesInRegistry?: ReadonlySet<string>): CheckedSecret {
  const read = readText(given, MOST_VALUES, LARGEST_SECRET);
  if (read.problem !== undefined) return { problems: [read.problem], codes: undefined };
  const { text, json, repeated } = read;
  const codes = codesOf(json);
  const found = secretProblems(json);
  for (const problem of repeated) found.push({ ...problem, merchantCode: codeAt(problem.at) });
  for (const code of codes) {
    if (codesInRegistry?.has(code) !== false || !MERCHANT_CODE.test(code)) continue;
    const reason = 'is used by no merchant of the registry';
    const unused: FoundProblem = {
      at: ['merchants', code],
      reason,
      value: undefined,
      candidates: [],
      merchantCode: code,
    };
    found.push(unused);
  }
  return { problems: placedProblems(text, found), codes: new Set(codes) };
}
