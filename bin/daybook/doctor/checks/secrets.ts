import { GetSecretValueCommand, ResourceNotFoundException } from '@aws-sdk/client-secrets-manager';
import type { SecretsManagerClient } from '@aws-sdk/client-secrets-manager';
import pLimit from 'p-limit';
import { secretName } from '#service/merchant-client.ts';
import type { MerchantSettings } from '#registry/registry-schema.ts';
import { SecretError, readSecretEntry } from '#service/authentication/credentials.ts';
import { secretSettings } from '../../secret/prove.ts';
import { CannotLookError, fine, firstOf, wrong } from '../finding.ts';
import type { Check } from '../check.ts';
import type { Finding } from '../finding.ts';
import type { CheckedStage } from '../checked-stage.ts';
import type { Lines } from '../../stage/lines.ts';
import { isForbidden } from '../../stage/aws-complaint.ts';
import { counted } from '../../terminal/counted.ts';

/** Secrets that are read at the same time. */
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

/** @returns `undefined` when there is no such secret */
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
