import { rulesOfRegistry } from '#registry/alert-rules.ts';
import { allGroups } from '#registry/groups.ts';
import { RegistryError } from '#registry/registry-errors.ts';
import { registryProblems } from '#bin/daybook/check/registry-problems.ts';
import { rejectionOf } from '#registry/problem.ts';
import type { MerchantProblem, Rejection } from '#registry/problem.ts';
import { ForbiddenOriginError, assertServiceAllowed } from '#registry/service-origin.ts';
import type { Lines } from '../../stage/stage.ts';
import { firstOf, orFine, warning, wrong, CannotLookError } from '../check.ts';
import type { Check, Finding } from '../check.ts';
import { SecretsManagerClient } from '@aws-sdk/client-secrets-manager';
import pLimit from 'p-limit';
import { secretName } from '#service/with-merchant-client.ts';
import { SecretError, readSecretEntry } from '#service/authentication/credentials.ts';
import { secretSettings } from '../../secret/merchant-secret.ts';
import { currentVersion } from '../../secret/stored-secret.ts';
import { isForbidden } from '../../stage/aws-complaint.ts';
import { when } from '../../terminal/command-errors.ts';
import { counted } from '../../terminal/shown-text.ts';

export const registry: Check = {
  name: 'Registry',
  looksAt: ({ stage }) => `s3://${stage.bucket}/${stage.registryKey}`,
  look: async ({ stage, registry: read }) => {
    const { daybook } = stage.lines;
    const pull = daybook('registry', 'pull');
    const mend = `${pull}, correct it, then ${daybook('registry', 'push')}`;
    const all = `${pull}, then ${daybook('check', 'merchants.json')}: it names all problems`;
    const found = await read().catch(when(RegistryError, ({ message }) => message));
    if (typeof found === 'string') return [wrong(found, mend)];
    const { alarm, merchants, rejected } = found;
    const shownProblem = (problem: MerchantProblem) => rejectionOf(problem, problem.merchantCode);
    const badRules = rulesOfRegistry(found.registry).problems.map(shownProblem);
    const badGroups = allGroups(found.registry).rejected;
    const known = new Set([...rejected, ...badRules, ...badGroups].map(({ path }) => path));
    // What has no effect, or less than it seems to have.
    const doubtful = registryProblems(found.registry)
      .map(shownProblem)
      .filter(({ path }) => !known.has(path));
    const named = (problems: readonly Rejection[], finding: typeof wrong, what = '') =>
      firstOf(
        problems.map(({ path, reason }) => finding(`${path}: ${reason}${what}`, mend)),
        all,
      );
    const lonely = merchants
      .filter(({ recipients }) => recipients.length === 0)
      .map(({ merchantCode: code }) =>
        warning(`merchant ${code} has no recipients: nobody gets its report`, mend),
      );
    const findings = [
      ...(alarm === null ? [] : [wrong(alarm, mend)]),
      ...originFindings(() => assertServiceAllowed(found.registry.service, stage.serviceOrigins), mend),
      ...named(rejected, wrong, ': no report'),
      ...named(badRules, wrong, ': this rule alerts nobody'),
      ...named(badGroups, wrong, ': nobody gets the pages of this group'),
      ...named(doubtful, warning),
      ...firstOf(lonely, all),
    ];
    if (merchants.length === 0 && findings.length === 0)
      return [warning('it has no merchants', daybook('merchant', 'add'))];
    return orFine(findings, `${merchants.length} merchants, all can be used`);
  },
};

function originFindings(check: () => void, correction: string): Finding[] {
  try {
    check();
    return [];
  } catch (error) {
    if (!(error instanceof ForbiddenOriginError)) throw error;
    const mend = `correct service.baseUrl (${correction}), or put its origin into service.origins of the stage's settings and deploy`;
    return [wrong(`${error.message}: no merchant can be read`, mend)];
  }
}

const AT_ONCE = 8;

/** The merchants' secrets: does each merchant of the registry have an entry that can be used? No value is shown. */
export const secrets: Check = {
  name: 'Secrets',
  looksAt: ({ stage }) => stage.credentialsSecret,
  look: async ({ stage, client, registry: read }) => {
    const { lines } = stage;
    const manager = client(SecretsManagerClient);
    const { merchants } = await read();
    const bySecret = new Map<string, string[]>();
    const misnamed = merchants.flatMap((merchant) =>
      secretFindings(lines, merchant.merchantCode, () => {
        const name = secretName(merchant, secretSettings(stage));
        bySecret.set(name, [...(bySecret.get(name) ?? []), merchant.merchantCode]);
      }),
    );
    const ofSecrets = await pLimit(AT_ONCE).map([...bySecret], async ([name, codes]) => {
      const present = await currentVersion(manager, name).catch(noRight);
      if (present !== undefined)
        return codes.flatMap((code) =>
          secretFindings(lines, code, () => readSecretEntry(present.text, code, name)),
        );
      const who = codes.length === 1 ? `merchant ${codes[0]} gets` : `${codes.length} merchants get`;
      const put = lines.daybook('secret', 'put', ...codes.slice(0, 1));
      return [wrong(`secret ${name} does not exist: ${who} no report`, put)];
    });
    const findings = firstOf([...misnamed, ...ofSecrets.flat()], lines.daybook('secret', 'check'));
    const all = `${counted(merchants.length, 'merchant')} with an entry`;
    return orFine(findings, `${all}, in ${counted(bySecret.size, 'secret')}`);
  },
};

function secretFindings(lines: Lines, merchantCode: string, read: () => unknown): Finding[] {
  try {
    read();
    return [];
  } catch (error) {
    if (!(error instanceof SecretError)) throw error;
    return [
      wrong(`merchant ${merchantCode}: ${error.message}`, lines.daybook('secret', 'put', merchantCode)),
    ];
  }
}

function noRight(error: unknown): never {
  if (!isForbidden(error)) throw error;
  const cause = { cause: error };
  throw new CannotLookError('your rights do not let you read secrets: attach the policy Operators', cause);
}
