import { rulesOfRegistry } from '#alerts/rules/registry-rules.ts';
import { allGroups } from '#registry/groups.ts';
import { RegistryError } from '#registry/registry-errors.ts';
import { registryProblems } from '#bin/daybook/check/registry-problems.ts';
import { rejectionOf } from '#registry/problem.ts';
import type { MerchantProblem, Rejection } from '#registry/problem.ts';
import { ForbiddenOriginError, assertServiceAllowed } from '#registry/service-origin.ts';
import type { Lines } from '../../stage/lines.ts';
import type { Stage } from '../../stage/stage.ts';
import { fine, firstOf, warning, wrong } from '../finding.ts';
import type { Check } from '../check.ts';
import type { Finding } from '../finding.ts';
import type { CheckedStage, ReadRegistry } from '../checked-stage.ts';

/** How to correct the registry. */
function correctionOf({ daybook }: Lines): string {
  return `${daybook('registry', 'pull')}, correct it, then ${daybook('registry', 'push')}`;
}

/** How to see all of its problems. */
function allProblems({ daybook }: Lines): string {
  return `${daybook('registry', 'pull')}, then ${daybook('check', 'merchants.json')}: it names all problems`;
}

/** The registry, as the functions read it. */
export const registry: Check = {
  name: 'Registry',
  looksAt: ({ stage }) => `s3://${stage.bucket}/${stage.registryKey}`,
  look: async ({ stage, registry: read }: CheckedStage) => {
    let found: ReadRegistry;
    try {
      found = await read();
    } catch (error) {
      if (!(error instanceof RegistryError)) throw error;
      return [wrong(error.message, correctionOf(stage.lines))];
    }
    return registryFindings(found, stage);
  },
};

function registryFindings(read: ReadRegistry, { serviceOrigins, lines }: Stage): Finding[] {
  const [mend, all] = [correctionOf(lines), allProblems(lines)];
  const badRules = rulesOfRegistry(read.registry).problems.map((problem) => shownProblem(problem));
  const badGroups = allGroups(read.registry).rejected;
  const spoilt = [...read.rejected, ...badRules, ...badGroups];
  const known = new Set(spoilt.map(({ path }) => path));
  // What has no effect, or less than it seems to have.
  const doubtful = registryProblems(read.registry)
    .map((problem) => shownProblem(problem))
    .filter(({ path }) => !known.has(path));
  const named = (rejected: readonly Rejection[], finding: typeof wrong, what = '') =>
    firstOf(
      rejected.map(({ path, reason }) => finding(`${path}: ${reason}${what}`, mend)),
      all,
    );
  const findings = [
    ...(read.alarm === null ? [] : [wrong(read.alarm, mend)]),
    ...originFindings(read, serviceOrigins, mend),
    ...named(read.rejected, wrong, ': no report'),
    ...named(badRules, wrong, ': this rule alerts nobody'),
    ...named(badGroups, wrong, ': nobody gets the pages of this group'),
    ...named(doubtful, warning),
    ...firstOf(
      read.merchants
        .filter(({ recipients }) => recipients.length === 0)
        .map(({ merchantCode }) =>
          warning(`merchant ${merchantCode} has no recipients: nobody gets its report`, mend),
        ),
      all,
    ),
  ];
  if (read.merchants.length === 0 && findings.length === 0) {
    return [warning('it has no merchants', lines.daybook('merchant', 'add'))];
  }
  return findings.length > 0 ? findings : [fine(`${read.merchants.length} merchants, all can be used`)];
}

function shownProblem(problem: MerchantProblem): Rejection {
  return rejectionOf(problem, problem.merchantCode);
}

function originFindings(
  { registry: { service } }: ReadRegistry,
  serviceOrigins: readonly string[],
  correction: string,
): Finding[] {
  try {
    assertServiceAllowed(service, serviceOrigins);
    return [];
  } catch (error) {
    if (!(error instanceof ForbiddenOriginError)) throw error;
    const mend = `correct service.baseUrl (${correction}), or put its origin into service.origins of the stage's settings and deploy`;
    return [wrong(`${error.message}: no merchant can be read`, mend)];
  }
}
