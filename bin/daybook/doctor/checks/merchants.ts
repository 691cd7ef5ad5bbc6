import { rulesOfRegistry } from '#registry/alert-rules.ts';
import { allGroups } from '#registry/groups.ts';
import { RegistryError } from '#registry/registry-errors.ts';
import { registryProblems } from '#bin/daybook/check/registry-problems.ts';
import { rejectionOf } from '#registry/problem.ts';
import type { MerchantProblem, Rejection } from '#registry/problem.ts';
import { ForbiddenOriginError, assertServiceAllowed } from '#registry/service-origin.ts';
import type { Lines, Stage } from '../../stage/stage.ts';
import { fine, firstOf, warning, wrong, CannotLookError } from '../check.ts';
import type { Check, Finding, CheckedStage, ReadRegistry } from '../check.ts';
import { GetSecretValueCommand, ResourceNotFoundException } from '@aws-sdk/client-secrets-manager';
import type { SecretsManagerClient } from '@aws-sdk/client-secrets-manager';
import pLimit from 'p-limit';
import { secretName } from '#service/with-merchant-client.ts';
import type { MerchantSettings } from '#registry/registry-schema.ts';
import { SecretError, readSecretEntry } from '#service/authentication/credentials.ts';
import { secretSettings } from '../../secret/merchant-secret.ts';
import { isForbidden } from '../../stage/aws-complaint.ts';
import { counted } from '../../terminal/shown-text.ts';

function correctionOf({ daybook }: Lines): string {
  return `${daybook('registry', 'pull')}, correct it, then ${daybook('registry', 'push')}`;
}

function allProblems({ daybook }: Lines): string {
  return `${daybook('registry', 'pull')}, then ${daybook('check', 'merchants.json')}: it names all problems`;
}

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

const AT_ONCE = 8;

/** The merchants' secrets: does each merchant of the registry have an entry that can be used? No value is shown. */
export const secrets: Check = {
  name: 'Secrets',
  looksAt: ({ stage }) => stage.credentialsSecret,
  look: async ({ stage, clients, usableRegistry }: CheckedStage) => {
    const client = clients.secrets();
    const { merchants } = await usableRegistry();
    const bySecret = new Map<string, string[]>();
    const findings: Finding[] = [];
    for (const merchant of merchants) {
      try {
        const name = secretName(merchant, secretSettings(stage));
        bySecret.set(name, [...(bySecret.get(name) ?? []), merchant.merchantCode]);
      } catch (error) {
        findings.push(findingOf(error, merchant, stage.lines));
      }
    }
    const limit = pLimit(AT_ONCE);
    const read = await Promise.all(
      [...bySecret].map(([name, codes]) => limit(() => entryFindings(client, name, codes, stage.lines))),
    );
    findings.push(...read.flat());
    if (findings.length > 0) return firstOf(findings, stage.lines.daybook('secret', 'check'));
    return [
      fine(`${counted(merchants.length, 'merchant')} with an entry, in ${counted(bySecret.size, 'secret')}`),
    ];
  },
};

function findingOf(
  error: unknown,
  { merchantCode }: Pick<MerchantSettings, 'merchantCode'>,
  lines: Lines,
): Finding {
  if (!(error instanceof SecretError)) throw error;
  return wrong(`merchant ${merchantCode}: ${error.message}`, lines.daybook('secret', 'put', merchantCode));
}

async function entryFindings(
  client: SecretsManagerClient,
  name: string,
  codes: readonly string[],
  lines: Lines,
): Promise<Finding[]> {
  const text = await textOf(client, name);
  if (text === undefined) {
    return [
      wrong(
        `secret ${name} does not exist: ${codes.length === 1 ? `merchant ${codes[0]} gets` : `${codes.length} merchants get`} no report`,
        lines.daybook('secret', 'put', ...codes.slice(0, 1)),
      ),
    ];
  }
  return codes.flatMap((merchantCode) => {
    try {
      readSecretEntry(text, merchantCode, name);
      return [];
    } catch (error) {
      return [findingOf(error, { merchantCode }, lines)];
    }
  });
}

async function textOf(client: SecretsManagerClient, name: string): Promise<string | undefined> {
  try {
    const { SecretString } = await client.send(new GetSecretValueCommand({ SecretId: name }));
    return SecretString ?? '';
  } catch (error) {
    if (error instanceof ResourceNotFoundException) return undefined;
    if (isForbidden(error)) {
      throw new CannotLookError('your rights do not let you read secrets: attach the policy Operators', {
        cause: error,
      });
    }
    throw error;
  }
}
