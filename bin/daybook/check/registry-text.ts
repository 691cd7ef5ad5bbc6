import { isMembers } from '#records/json/exact-json.ts';
import { GROUP_NAME } from '#registry/groups.ts';
import { usableCode, MOST_VALUES } from '#registry/registry.ts';
import { codeAt, registryProblems } from '#bin/daybook/check/registry-problems.ts';
import { serviceSchema } from '#registry/registry-schema.ts';
import { LARGEST_REGISTRY } from '#records/storage/object-bounds.ts';
import { serviceFaults } from '#registry/service-origin.ts';
import { foundAt, readText, placedProblems } from './problem.ts';
import type { CheckProblem, FoundProblem } from './problem.ts';

export interface RegistryLimits {
  /** The origins that the registry may name. Left out: any. */
  origins?: readonly string[] | undefined;
  /** What the name of a merchant's own secret begins with. `null`: no merchant may have its own. Left out: any name. */
  secretPrefix?: string | null | undefined;
  /** The codes in the default secret. Left out: they are not compared. */
  codesInSecret?: ReadonlySet<string> | undefined;
  /** The most problems that are listed. Left out: all. */
  most?: number | undefined;
}

interface CheckedRegistry {
  problems: CheckProblem[];
  /** The codes of merchants without an own `secretId`, `undefined` when the registry could not be read. */
  codes: ReadonlySet<string> | undefined;
  entries: number;
}

function entriesOf(json: unknown): readonly unknown[] {
  return isMembers(json) && Array.isArray(json.merchants) ? json.merchants : [];
}

function serviceProblems(json: unknown, origins: readonly string[] | undefined): FoundProblem[] {
  const given = isMembers(json) ? json.service : undefined;
  const service = serviceSchema.safeParse(given);
  if (!service.success || !isMembers(given)) return [];
  const faults = serviceFaults(service.data, undefined).map(({ member, reason }): FoundProblem => {
    const value = given[member];
    return { at: ['service', member], reason, value, candidates: [], merchantCode: null };
  });
  const origin = URL.parse(service.data.baseUrl)?.origin;
  if (faults.length > 0 || origin === undefined || origins?.includes(origin) !== false) return faults;
  const reason = `must lead to ${origins.join(' or ')}`;
  return [{ at: ['service', 'baseUrl'], reason, value: origin, candidates: origins, merchantCode: null }];
}

function credentialProblems(
  entries: readonly unknown[],
  { secretPrefix: prefix, codesInSecret }: RegistryLimits,
): FoundProblem[] {
  const wrongPrefix =
    prefix === null ? 'is not allowed: the stage has no credentials.prefix' : `must begin with ${prefix}`;
  return entries.flatMap((entry, index): FoundProblem[] => {
    if (!isMembers(entry)) return [];
    const merchantCode = usableCode(entry);
    const found = (member: string, reason: string, value: unknown) => [
      { ...foundAt(['merchants', index, member], reason), value },
    ];
    const { secretId } = entry;
    if (typeof secretId === 'string' && prefix !== undefined)
      return prefix !== null && secretId.startsWith(prefix) ? [] : found('secretId', wrongPrefix, secretId);
    if (secretId !== undefined || merchantCode === null || codesInSecret?.has(merchantCode) !== false)
      return [];
    return found('merchantCode', 'has no entry in the secret', merchantCode);
  });
}

/** Every problem of the text of a registry, in the order of the text. `limits`: of the stage that it is for. */
export function checkRegistryText(given: string, limits: RegistryLimits = {}): CheckedRegistry {
  const read = readText(given, MOST_VALUES, LARGEST_REGISTRY);
  if (read.problem !== undefined) return { problems: [read.problem], codes: undefined, entries: 0 };
  const { text, json, repeated } = read;
  const entries = entriesOf(json);
  const ofStage = entries.filter((entry) => isMembers(entry) && entry.secretId === undefined);
  const codes = new Set(ofStage.flatMap((entry) => usableCode(entry) ?? []));
  const found = [
    ...registryProblems(json),
    ...serviceProblems(json, limits.origins),
    ...credentialProblems(entries, limits),
    ...repeated,
  ].map((problem): FoundProblem => {
    const merchantCode = codeAt(entries, problem.at);
    return { ...withZones(withGroup(problem, json)), merchantCode };
  });
  return { problems: placedProblems(text, found, limits.most), codes, entries: entries.length };
}

function withGroup(problem: FoundProblem, json: unknown): FoundProblem {
  const [first, index] = problem.at;
  if (first !== 'groups' || typeof index !== 'number' || !isMembers(json)) return problem;
  const entry: unknown = Array.isArray(json.groups) ? json.groups[index] : undefined;
  const name = isMembers(entry) ? entry.name : undefined;
  return typeof name === 'string' && GROUP_NAME.test(name) ? { ...problem, group: name } : problem;
}

let zones: readonly string[] | undefined;

/** The domain does not list the time zones: the functions need no suggestions. */
function withZones(problem: FoundProblem): FoundProblem {
  if (problem.at.at(-1) !== 'timeZone' || problem.candidates.length > 0) return problem;
  zones ??= ['UTC', ...Intl.supportedValuesOf('timeZone')];
  return typeof problem.value === 'string' ? { ...problem, candidates: zones } : problem;
}
