import { readFile } from 'node:fs/promises';
import type { CommandContext, ExitStatus } from '../context.ts';
import { codeOf, stdinText } from '../files.ts';
import { registryRulesOfStage } from '../stage/stage-names.ts';
import { UsageError } from '../terminal/command-errors.ts';
import type { CheckProblem, FoundProblem } from './problem.ts';
import { checkRegistryText } from './registry-text.ts';
import type { RegistryLimits } from './registry-text.ts';
import { foundAt, showProblems, readText, placedProblems } from './problem.ts';
import { isMembers } from '#records/json/exact-json.ts';
import { MERCHANT_CODE } from '#records/storage/keys.ts';
import { MOST_VALUES, CANNOT_LOG_IN, canLogIn, entrySchema } from '#service/authentication/credentials.ts';
import { LARGEST_SECRET } from '../secret/stored-secret.ts';
import { problemsOf, UNKNOWN } from '#registry/problem.ts';
import { cipherSettingsSchema } from '#service/envelope/cipher.ts';

const TOP = ['merchants', '$schema'];

function unknownNames(value: unknown, names: readonly string[], at: readonly PropertyKey[]): FoundProblem[] {
  if (!isMembers(value)) return [];
  return Object.keys(value)
    .filter((name) => !names.includes(name))
    .map((name) => ({ ...foundAt([...at, name], UNKNOWN), candidates: names }));
}

function problemsOfEntry(at: readonly string[], entry: unknown): FoundProblem[] {
  if (!isMembers(entry)) return [foundAt(at, 'must be object')];
  const { error } = entrySchema.safeParse(entry);
  const wrong = error === undefined ? [] : problemsOf(error, entry, at);
  const given = (name: string) => (entry[name] === undefined ? undefined : 'given');
  const login = { username: given('username'), password: given('password') };
  const { cipher, previous } = entry;
  const shape = entrySchema.unwrap().shape;
  const ofCipher = Object.keys(cipherSettingsSchema.unwrap().shape);
  const ofPrevious = Object.keys(shape).filter((name) => name !== 'previous');
  const inner = isMembers(previous) ? previous.cipher : undefined;
  return [
    ...wrong.map((problem) => foundAt(problem.at, problem.reason)),
    ...(canLogIn({ ...login, accessToken: given('accessToken') }) ? [] : [foundAt(at, CANNOT_LOG_IN)]),
    ...unknownNames(entry, Object.keys(shape), at),
    ...unknownNames(cipher, ofCipher, [...at, 'cipher']),
    ...unknownNames(previous, ofPrevious, [...at, 'previous']),
    ...unknownNames(inner, ofCipher, [...at, 'previous', 'cipher']),
  ];
}

const NO_CODE = 'is not a merchant code: letters, digits and "-", 64 at most';

function secretProblems(json: unknown): FoundProblem[] {
  if (!isMembers(json)) return [foundAt([], 'must be object')];
  const { merchants } = json;
  const reason = merchants === undefined ? 'is missing, must be object' : 'must be object';
  const ofMerchants = isMembers(merchants)
    ? Object.entries(merchants).flatMap(([code, entry]) => {
        const at = ['merchants', code];
        return [...(MERCHANT_CODE.test(code) ? [] : [foundAt(at, NO_CODE)]), ...problemsOfEntry(at, entry)];
      })
    : [foundAt(['merchants'], reason)];
  return [...unknownNames(json, TOP, []), ...ofMerchants];
}

function codesOf(json: unknown): string[] {
  return isMembers(json) && isMembers(json.merchants) ? Object.keys(json.merchants) : [];
}

function codeAt([first, code]: readonly PropertyKey[]): string | null {
  return first === 'merchants' && typeof code === 'string' && MERCHANT_CODE.test(code) ? code : null;
}

/** No problem shows a value. `codesInRegistry`: of the merchants that use this secret; left out: not compared. */
export function checkSecretText(given: string, codesInRegistry?: ReadonlySet<string>) {
  const read = readText(given, MOST_VALUES, LARGEST_SECRET);
  if (read.problem !== undefined) return { problems: [read.problem], codes: undefined };
  const { text, json, repeated } = read;
  const codes = codesOf(json);
  const unused = codes
    .filter((code) => codesInRegistry?.has(code) === false && MERCHANT_CODE.test(code))
    .map((code) => foundAt(['merchants', code], 'is used by no merchant of the registry'));
  const found = [...secretProblems(json), ...repeated, ...unused].map((problem) => {
    return { ...problem, merchantCode: codeAt(problem.at) };
  });
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

async function textOf(file: string, stdin: CommandContext['stdin']): Promise<string> {
  if (file === STANDARD_INPUT) return stdinText(stdin);
  try {
    return await readFile(file, 'utf8');
  } catch (error) {
    const code = codeOf(error);
    throw new UsageError(`cannot read ${file}: ${FAULTS[code] ?? code}`);
  }
}

function limitsOf({ stageNamed }: CommandContext, list: string | undefined): RegistryLimits {
  const names = list?.split(',').map((origin) => origin.trim().replace(/\/$/, ''));
  const origins = names?.filter((origin) => origin !== '');
  const stage = stageNamed();
  if (stage === undefined || stage === 'local') return { origins };
  const rules = registryRulesOfStage(stage);
  if (rules !== undefined) {
    return { origins: origins ?? rules.origins, secretPrefix: rules.secretPrefix ?? null };
  }
  if (origins !== undefined) return { origins };
  throw new UsageError(`lib/stages has no file ${stage}.json: name the origins with --origins`);
}

export async function check(
  context: CommandContext,
  registry: string | undefined,
  { secret, origins }: { secret?: string | undefined; origins?: string | undefined },
): Promise<ExitStatus> {
  const { output, stdin } = context;
  if (registry === undefined && secret === undefined) {
    throw new UsageError('name the file of a registry, or that of a secret with --secret');
  }
  if (registry === STANDARD_INPUT && secret === STANDARD_INPUT) {
    throw new UsageError('only one of the two files can be stdin');
  }
  const limits = limitsOf(context, origins);
  const registryText = registry === undefined ? undefined : await textOf(registry, stdin);
  const secretText = secret === undefined ? undefined : await textOf(secret, stdin);
  const codesInSecret = secretText === undefined ? undefined : checkSecretText(secretText).codes;
  const ofRegistry =
    registryText === undefined
      ? undefined
      : checkRegistryText(registryText, { ...limits, codesInSecret, most: MOST_LISTED });
  const ofSecret = secretText === undefined ? undefined : checkSecretText(secretText, ofRegistry?.codes);
  const file = secret === undefined ? {} : { file: secret };
  const problems: CheckProblem[] = [
    ...(ofRegistry?.problems ?? []),
    ...(ofSecret?.problems ?? []).map((problem) => ({ ...file, ...problem })),
  ];
  output.result({ problems }, () => {
    if (registry !== undefined && ofRegistry !== undefined)
      showProblems(output, registry, ofRegistry.problems, ofRegistry.entries);
    if (secret !== undefined && ofSecret !== undefined)
      showProblems(output, secret, ofSecret.problems, ofSecret.codes?.size ?? 0);
  });
  return problems.length === 0 ? 0 : 1;
}
