import { describe, expect, it } from 'vitest';
import * as z from 'zod';
import { COMMAND_NAMES, impliedRights, isAllowed, ownRights, rightsOfPolicy } from '#lib/command-rights.ts';
import type { PolicyName } from '#lib/command-rights.ts';
import { managedStatementsOf } from '#support/stacks/statements.ts';
import { synthesise } from '#support/stacks/synthesised.ts';

const { template } = await synthesise('prod');
const access = template('Access');
const POLICIES: readonly PolicyName[] = ['Operators', 'ReadOnly', 'Forget'];

/** IAM's limit for a managed policy, characters without blanks. */
const LONGEST = 6_144;
/** Actions that AWS has no smaller resource for. Only one of them changes something: the account's suppression list. */
const ON_ACCOUNT: Record<PolicyName, string> = {
  Operators:
    'cloudwatch:DescribeAlarms, lakeformation:GetDataLakeSettings, lambda:GetAccountSettings, ses:DeleteSuppressedDestination, ses:GetAccount, ses:GetSuppressedDestination, ses:ListSuppressedDestinations',
  ReadOnly:
    'cloudwatch:DescribeAlarms, lakeformation:GetDataLakeSettings, lambda:GetAccountSettings, ses:GetAccount, ses:ListSuppressedDestinations',
  Forget: '',
  Verify: '',
};

const sets = (policy: PolicyName) =>
  new Set(rightsOfPolicy(policy).map(({ action, on }) => `${action} ${on}`));

/** The longest value that a reference can have. */
function longestOf(reference: unknown): string {
  const text = JSON.stringify(reference);
  if (text.includes('AWS::Partition')) return 'aws-us-gov';
  if (text.includes('AWS::AccountId')) return '111122223333';
  // The ARN of a bucket, a key or a topic.
  return 'x'.repeat('arn:aws-us-gov:sns:ap-southeast-9:111122223333:'.length + 64);
}

const joinSchema = z.strictObject({ 'Fn::Join': z.tuple([z.string(), z.array(z.unknown())]) });

/** A policy as IAM gets it, with the longest values. */
function resolved(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(resolved);
  if (typeof value !== 'object' || value === null) return value;
  const join = joinSchema.safeParse(value);
  if (join.success) {
    const [separator, parts] = join.data['Fn::Join'];
    return parts.map((part) => (typeof part === 'string' ? part : longestOf(part))).join(separator);
  }
  const [name = ''] = Object.keys(value);
  if (name === 'Ref' || name.startsWith('Fn::')) return longestOf(value);
  return Object.fromEntries(Object.entries(value).map(([key, member]) => [key, resolved(member)]));
}

describe('the policies for people', () => {
  it.each(POLICIES)('are the recorded statements: %s', async (policy) => {
    await expect(`${managedStatementsOf(access, policy).join('\n')}\n`).toMatchFileSnapshot(
      `rights/people/${policy}.txt`,
    );
  });

  it.each(POLICIES)('use a star alone only where AWS has no smaller resource: %s', (policy) => {
    const statements = managedStatementsOf(access, policy);
    const stars = statements.filter((line) => line.endsWith(': *'));
    expect(stars).toEqual(ON_ACCOUNT[policy] === '' ? [] : [`${ON_ACCOUNT[policy]}: *`]);
    for (const line of statements) expect(line).not.toMatch(/\*:|data\/\*/);
  });

  it.each(POLICIES)(
    'fit into the limit of IAM for the longest names: %s',
    async (policy) => {
      const long = await synthesise('prod', (settings) => {
        settings.stage = 'a-stage-of-20-letter';
        settings.region = 'ap-southeast-9';
        settings.mail.domain = `${'mail-domain.'.repeat(8)}example.com`;
        settings.mail.from = `reports@${settings.mail.domain}`;
        delete settings.mail.hostedZone;
        settings.credentials = {
          secret: `daybook/${'a-long-name/'.repeat(5)}credentials`,
          prefix: `daybook/${'a-long-name/'.repeat(5)}merchants/`,
          keyArn: `arn:aws-us-gov:kms:ap-southeast-9:111122223333:key/${'0'.repeat(36)}`,
        };
      });
      const [[, resource] = ['', {}]] = Object.entries(
        long.template('Access').findResources('AWS::IAM::ManagedPolicy'),
      ).filter(([id]) => id.startsWith(policy));
      const { PolicyDocument } = z.object({ PolicyDocument: z.unknown() }).parse(resource['Properties']);
      const size = JSON.stringify(resolved(PolicyDocument)).replaceAll(/\s/g, '').length;
      expect(size).toBeGreaterThan(1_000);
      expect(size).toBeLessThanOrEqual(LONGEST);
    },
    180_000,
  );

  it('allow the commands that they are for', () => {
    for (const policy of POLICIES) {
      const allowed = sets(policy);
      const commands = COMMAND_NAMES.filter((name) => isAllowed(name, policy));
      expect(commands.length).toBeGreaterThan(1);
      for (const command of commands) {
        const own = ownRights(command).filter((right) => policy === 'Operators' || !right.operatorsOnly);
        for (const { action, on } of [...own, ...impliedRights(own)]) {
          expect(allowed, command).toContain(`${action} ${on}`);
        }
      }
    }
  });

  it('let ReadOnly read neither secrets nor files with customers’ data, and change nothing', () => {
    const lines = managedStatementsOf(access, 'ReadOnly').join('\n');
    expect(lines).not.toMatch(/secretsmanager|data\/(invoices|refunds)|kms:GenerateDataKey/);
    const actions = new Set(rightsOfPolicy('ReadOnly').map(({ action }) => action.split(':')[1] ?? ''));
    for (const action of actions) expect(action).toMatch(/^(Get|List|Describe|Decrypt)/);
    expect(sets('ReadOnly').isSubsetOf(sets('Operators'))).toBe(true);
  });

  it('let only Forget delete for ever, and it lets nobody write or delete a registry, a secret or a seal of today', () => {
    const deletes = (policy: PolicyName) =>
      [...sets(policy)].filter((call) => call.startsWith('s3:DeleteObjectVersion'));
    expect(deletes('Operators')).toEqual([]);
    expect(deletes('ReadOnly')).toEqual([]);
    expect(deletes('Forget').join(' ')).not.toMatch(
      /config\/(?!refunds)|forgotten|mail-stops\/(?!merchant=)/,
    );
    const writes = [...sets('Forget')].filter((call) => /:(Put|Create|Update)/.test(call));
    expect(writes).toEqual(['s3:PutObject data/forgotten/*']);
  });

  it('let Operators write only the registry, mail stops, reopenings of statements, secrets, dead letters and the suppression list of SES', () => {
    const writes = rightsOfPolicy('Operators')
      .filter(({ action }) => /:(Put|Delete|Create|Update)/.test(action))
      .map(({ action, on }) => `${action} ${on}`);
    expect(writes.toSorted()).toEqual([
      's3:DeleteObject data/mail-stops/*',
      's3:PutObject data/config/last-good/merchants.json',
      's3:PutObject data/config/merchants.json',
      's3:PutObject data/mail-stops/*',
      's3:PutObject data/statements/*/reopened-*',
      'secretsmanager:CreateSecret secrets',
      'secretsmanager:PutSecretValue secrets',
      'secretsmanager:UpdateSecretVersionStage secrets',
      'ses:DeleteSuppressedDestination account',
      'sqs:DeleteMessage dead letters',
    ]);
  });
});
