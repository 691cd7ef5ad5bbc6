import { Match } from 'aws-cdk-lib/assertions';
import { describe, expect, it } from 'vitest';
import { rightsOfPolicy } from '#lib/command-rights.ts';
import { managedStatementsOf, statementsOf } from '#support/stacks/statements.ts';
import { synthesise } from '#support/stacks/synthesised.ts';

const on = (settings: { proofs: boolean }) => {
  settings.proofs = true;
};
const [without, having, dev] = await Promise.all([
  synthesise('prod'),
  synthesise('prod', on),
  synthesise('dev', on),
]);
const functions = having.template('Functions');

describe('a stage with proofs', () => {
  it('is another only by the function, its key, schedule and alarm, rights of people, sample events and the life of old versions', () => {
    const changed = Object.keys(having.templates).filter(
      (name) =>
        JSON.stringify(without.templates[name]?.toJSON()) !==
        JSON.stringify(having.templates[name]?.toJSON()),
    );
    expect(changed.toSorted()).toEqual(['Access', 'Console', 'Data', 'Functions', 'Monitoring', 'Schedules']);
    expect(without.template('Functions').findResources('AWS::KMS::Key')).toEqual({});
  });

  it('has one key that only signs, and keeps it as the stage keeps its data', () => {
    const key = { KeySpec: 'ECC_NIST_P256', KeyUsage: 'SIGN_VERIFY' };
    functions.hasResource('AWS::KMS::Key', { Properties: key, DeletionPolicy: 'RetainExceptOnCreate' });
    dev.template('Functions').hasResource('AWS::KMS::Key', { Properties: key, DeletionPolicy: 'Delete' });
    functions.hasResourceProperties('AWS::KMS::Alias', { AliasName: 'alias/daybook-prod-proofs' });
    functions.resourceCountIs('AWS::KMS::Key', 1);
  });

  it('calls the function each night, after the first quarter of an hour (UTC)', () => {
    having.template('Schedules').hasResourceProperties('AWS::Scheduler::Schedule', {
      ScheduleExpression: 'cron(30 0 * * ? *)',
      ScheduleExpressionTimezone: 'Etc/UTC',
      Target: Match.objectLike({ DeadLetterConfig: Match.anyValue(), Input: '{}' }),
    });
  });

  it('gives the function the recorded rights, and nobody else the right to sign', async () => {
    await expect(`${statementsOf(functions, 'prove').join('\n')}\n`).toMatchFileSnapshot('rights/prove.txt');
    const signers = Object.entries(having.templates).flatMap(([name, template]) =>
      JSON.stringify(template.toJSON())
        .split('"kms:Sign"')
        .slice(1)
        .map(() => name),
    );
    expect(signers).toEqual(['Functions']);
  });

  it('lets nobody read customers’ data but who has the policy for it', async () => {
    const access = having.template('Access');
    const statements = managedStatementsOf(access, 'Verify');
    await expect(`${statements.join('\n')}\n`).toMatchFileSnapshot('rights/people/Verify.txt');
    for (const policy of ['Operators', 'ReadOnly', 'Forget'] as const)
      expect(managedStatementsOf(access, policy).filter((one) => !one.endsWith('-prove:live'))).toEqual(
        managedStatementsOf(without.template('Access'), policy),
      );
    expect(
      rightsOfPolicy('Verify').filter(
        ({ action }) => !/^(s3:(Get|List)|kms:Decrypt|cloudformation:Desc)/.test(action),
      ),
    ).toEqual([]);
  });
});
