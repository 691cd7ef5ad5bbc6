import { readFile } from 'node:fs/promises';
import { text as streamText } from 'node:stream/consumers';
import type { CommandContext } from '../context.ts';
import type { ExitStatus } from '../perform.ts';
import { registryRulesOfStage } from '../stage/stage-names.ts';
import { UsageError } from '../terminal/command-errors.ts';
import type { CheckProblem, FoundProblem } from './problem.ts';
import { checkRegistryText } from './registry-text.ts';
import type { RegistryLimits } from './registry-text.ts';
import { showProblems } from './show-problems.ts';
import { isMembers } from '#records/json/exact-json.ts';
import { MERCHANT_CODE } from '#registry/registry-schema.ts';
import { MOST_VALUES } from '#service/authentication/credentials.ts';
import { readText } from './json-text.ts';
import { placedProblems } from './placed.ts';
import { secretProblems } from './secret-problems.ts';
import { LARGEST_SECRET } from '../secret/secret-text.ts';

/** A secret that was checked. */
interface CheckedSecret {
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

/** The most problems that are listed. A file of 32 MiB can have a million. */
const MOST_LISTED = 100_000;

const STANDARD_INPUT = '-';

const FAULTS: Readonly<Record<string, string>> = {
  ENOENT: 'there is no such file',
  EISDIR: 'it is a folder',
  EACCES: 'you may not read it',
};

/** @throws {UsageError} when it cannot be read */
async function textOf(file: string, stdin: CommandContext['stdin']): Promise<string> {
  try {
    return await (file === STANDARD_INPUT ? streamText(stdin) : readFile(file, 'utf8'));
  } catch (error) {
    const code = error instanceof Error && 'code' in error ? String(error.code) : 'unknown error';
    throw new UsageError(`cannot read ${file}: ${FAULTS[code] ?? code}`);
  }
}

/**
 * The limits of the stage, if one is named.
 *
 * @throws {UsageError} when its settings are not known
 */
function limitsOf({ stageNamed }: CommandContext, origins: string | undefined): RegistryLimits {
  const given = origins
    ?.split(',')
    .map((origin) => origin.trim().replace(/\/$/, ''))
    .filter((origin) => origin !== '');
  const stage = stageNamed();
  if (stage === undefined || stage === 'local') return { origins: given };
  const rules = registryRulesOfStage(stage);
  if (rules === undefined) {
    if (given !== undefined) return { origins: given };
    throw new UsageError(`lib/stages has no file ${stage}.json: name the origins with --origins`);
  }
  return { origins: given ?? rules.origins, secretPrefix: rules.secretPrefix ?? null };
}

/** Does `daybook check`. */
export async function check(
  context: CommandContext,
  registry: string | undefined,
  options: { secret?: string | undefined; origins?: string | undefined },
): Promise<ExitStatus> {
  const { output } = context;
  const { secret } = options;
  if (registry === undefined && secret === undefined) {
    throw new UsageError('name the file of a registry, or that of a secret with --secret');
  }
  if (registry === STANDARD_INPUT && secret === STANDARD_INPUT) {
    throw new UsageError('only one of the two files can be stdin');
  }
  const limits = limitsOf(context, options.origins);
  const texts = {
    registry: registry === undefined ? undefined : await textOf(registry, context.stdin),
    secret: secret === undefined ? undefined : await textOf(secret, context.stdin),
  };
  const codesInSecret = texts.secret === undefined ? undefined : checkSecretText(texts.secret).codes;
  const ofRegistry =
    texts.registry === undefined
      ? undefined
      : checkRegistryText(texts.registry, { ...limits, codesInSecret, most: MOST_LISTED });
  const ofSecret = texts.secret === undefined ? undefined : checkSecretText(texts.secret, ofRegistry?.codes);
  const file = secret === undefined ? {} : { file: secret };
  const problems: CheckProblem[] = [
    ...(ofRegistry?.problems ?? []),
    ...(ofSecret?.problems ?? []).map((problem) => ({ ...file, ...problem })),
  ];
  output.result({ problems }, () => {
    if (registry !== undefined && ofRegistry !== undefined) {
      showProblems(output, registry, ofRegistry.problems, ofRegistry.entries);
    }
    if (secret !== undefined && ofSecret !== undefined) {
      showProblems(output, secret, ofSecret.problems, ofSecret.codes?.size ?? 0);
    }
  });
  return problems.length === 0 ? 0 : 1;
}
