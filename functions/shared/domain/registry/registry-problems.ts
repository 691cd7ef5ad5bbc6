import { rulesOfRegistry } from '../alerts/registry-rules.ts';
import { isMembers } from '../json/exact-json.ts';
import type { Members } from '../json/exact-json.ts';
import { fieldPath } from '../json/schema-issue.ts';
import { doubtfulSettings } from './doubtful-settings.ts';
import { badDefaultsOf, readEntry } from './entry.ts';
import type { BadDefault } from './entry.ts';
import { usableCode } from './merchant-codes.ts';
import { problemsOf } from './problem.ts';
import type { MerchantProblem, Problem } from './problem.ts';
import { MOST_MERCHANTS } from './registry.ts';
import { serviceSchema } from './registry-schema.ts';
import { unknownMembers } from './unknown-members.ts';

/** The parts of a registry that can be looked at, whatever else is wrong with it. */
interface Frame {
  defaults: Members;
  merchants: unknown[];
  problems: Problem[];
}

function problemAt(name: string, reason: string, value: unknown): Problem {
  const said = value === undefined ? `is missing, ${reason}` : reason;
  return { at: [name], reason: said, value, candidates: [] };
}

function readFrame(registry: Members): Frame {
  const problems: Problem[] = [];
  const service = serviceSchema.safeParse(registry.service);
  if (!isMembers(registry.service)) problems.push(problemAt('service', 'must be object', registry.service));
  else if (!service.success) problems.push(...problemsOf(service.error, registry.service, ['service']));
  const { defaults = {}, merchants } = registry;
  if (!isMembers(defaults)) problems.push(problemAt('defaults', 'must be object', defaults));
  if (!Array.isArray(merchants)) problems.push(problemAt('merchants', 'must be array', merchants));
  else if (merchants.length > MOST_MERCHANTS) {
    problems.push(problemAt('merchants', `has more than ${MOST_MERCHANTS} entries`, merchants));
  }
  return {
    defaults: isMembers(defaults) ? defaults : {},
    merchants: Array.isArray(merchants) ? merchants : [],
    problems,
  };
}

/** Bad defaults, each once, with the number of entries that they make unusable. */
function problemsOfDefaults(defaults: Members, heirs: ReadonlyMap<BadDefault, number>): Problem[] {
  return badDefaultsOf(defaults).flatMap((bad) => {
    const count = heirs.get(bad) ?? 0;
    if (count === 0) return bad.problems;
    const consequence = `${count} ${count === 1 ? 'entry inherits' : 'entries inherit'} it`;
    return bad.problems.map((problem) => ({ ...problem, consequence }));
  });
}

/**
 * Every problem of a registry, for people who edit it. Unlike the functions, it goes on after any problem, and also names
 * settings that can be used and do less than they seem to. It takes linear time.
 *
 * @param json the parsed text. Names that appear twice in an object cannot be seen in it
 */
export function registryProblems(json: unknown): MerchantProblem[] {
  const nobody = { merchantCode: null };
  if (!isMembers(json)) {
    return [{ at: [], reason: 'must be object', value: json, candidates: [], ...nobody }];
  }
  const { defaults, merchants, problems } = readFrame(json);
  const ofEntries: MerchantProblem[] = [];
  const doubtful: MerchantProblem[] = [];
  const heirs = new Map<BadDefault, number>();
  const firstPlaces = new Map<string, number>();
  for (const [index, entry] of merchants.entries()) {
    const at = ['merchants', index];
    const merchantCode = usableCode(entry);
    const { problems: found = [], inherited = [] } = readEntry(defaults, entry, at);
    for (const bad of inherited) heirs.set(bad, (heirs.get(bad) ?? 0) + 1);
    for (const problem of found) ofEntries.push({ ...problem, merchantCode });
    for (const problem of doubtfulSettings(entry, at)) doubtful.push({ ...problem, merchantCode });
    if (merchantCode === null) continue;
    const first = firstPlaces.get(merchantCode);
    if (first === undefined) firstPlaces.set(merchantCode, index);
    else {
      const reason = `is the code of ${fieldPath(['merchants', first])}, too`;
      ofEntries.push({
        at: [...at, 'merchantCode'],
        reason,
        value: merchantCode,
        candidates: [],
        merchantCode,
      });
    }
  }
  const rules = rulesOfRegistry({ defaults, merchants });
  const all: MerchantProblem[] = [];
  // One by one: a call with some hundred thousand arguments overflows the stack.
  const add = (list: readonly (Problem & Partial<MerchantProblem>)[]) => {
    for (const problem of list) all.push({ ...nobody, ...problem });
  };
  add(problems);
  add(problemsOfDefaults(defaults, heirs));
  add(ofEntries);
  add(unknownMembers({ ...json, defaults, merchants }));
  add(rules.problems);
  add(rules.unknown);
  add(doubtfulSettings(defaults, ['defaults']));
  add(doubtful);
  return all;
}
