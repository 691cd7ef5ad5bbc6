import { describe, expect, it } from 'vitest';
import { COMMAND_NAMES, impliedRights, isAllowed, ownRights, rightsOfPolicy } from '#lib/command-rights.ts';
import type { PolicyName } from '#lib/command-rights.ts';
import { EvaluatedPolicy } from '#support/stacks/iam-evaluator.ts';
import { managedStatementsOf } from '#support/stacks/statements.ts';
import { synthesise } from '#support/stacks/synthesised.ts';

const { template } = await synthesise('prod');
const access = template('Access');
const POLICIES: readonly PolicyName[] = ['Operators', 'ReadOnly', 'Forget'];

/** IAM's limit for a managed policy, characters without blanks. */
const LONGEST = 6_144;
const [account, region] = ['111122223333', 'ap-southeast-9'];
/** The longest values that references can have: the ARN of a bucket, a key or a topic. */
const LONGEST_NAMES = { account, region, of: () => `arn:aws:sns:${region}:${account}:${'x'.repeat(64)}` };
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

describe('the policies for people', () => {
  it.each(POLICIES)(
    'are the recorded statements, with a star alone only where AWS has no smaller resource: %s',
    async (policy) => {
      const statements = managedStatementsOf(access, policy);
      await expect(`${statements.join('\n')}\n`).toMatchFileSnapshot(`rights/people/${policy}.txt`);
      const stars = statements.filter((line) => line.endsWith(': *'));
      expect(stars).toEqual(ON_ACCOUNT[policy] === '' ? [] : [`${ON_ACCOUNT[policy]}: *`]);
      for (const line of statements) expect(line).not.toMatch(/\*:|data\/\*/);
    },
  );

  it.each(POLICIES)(
    'fit into the limit of IAM for the longest names: %s',
    async (policy) => {
      const long = await synthesise('prod', (settings) => {
        settings.stage = 'a-stage-of-20-letter';
        settings.region = region;
        settings.mail.domain = `${'mail-domain.'.repeat(8)}example.com`;
        settings.mail.from = `reports@${settings.mail.domain}`;
        delete settings.mail.hostedZone;
        settings.credentials = {
          secret: `daybook/${'a-long-name/'.repeat(5)}credentials`,
          prefix: `daybook/${'a-long-name/'.repeat(5)}merchants/`,
          keyArn: `arn:aws-us-gov:kms:ap-southeast-9:111122223333:key/${'0'.repeat(36)}`,
        };
      });
      const { statements } = new EvaluatedPolicy(long.template('Access'), policy, LONGEST_NAMES);
      const document = JSON.stringify({ Version: '2012-10-17', Statement: statements });
      const asWritten = document.replaceAll(',"Condition":{}', '').replaceAll(/\["([^"]*)"\]/g, '"$1"');
      const size = asWritten.replaceAll('arn:aws:', 'arn:aws-us-gov:').replaceAll(/\s/g, '').length;
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
