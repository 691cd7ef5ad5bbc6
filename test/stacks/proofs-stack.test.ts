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
const proofs = having.template('Proofs');

describe('the stack Proofs', () => {
  it('is there only when the setting is on, and changes only rights of people, sample events and the life of old versions', () => {
    expect(without.templates).not.toHaveProperty('Proofs');
    const changed = Object.keys(having.templates).filter(
      (name) =>
        JSON.stringify(without.templates[name]?.toJSON()) !==
        JSON.stringify(having.templates[name]?.toJSON()),
    );
    expect(changed.toSorted()).toEqual(
      ['Access', 'Console', 'Data', 'Proofs'].filter((name) => name in having.templates),
    );
  });

  it('has one key that only signs, and keeps it as the stage keeps its data', () => {
    const key = { KeySpec: 'ECC_NIST_P256', KeyUsage: 'SIGN_VERIFY' };
    proofs.hasResource('AWS::KMS::Key', { Properties: key, DeletionPolicy: 'RetainExceptOnCreate' });
    dev.template('Proofs').hasResource('AWS::KMS::Key', { Properties: key, DeletionPolicy: 'Delete' });
    proofs.hasResourceProperties('AWS::KMS::Alias', { AliasName: 'alias/daybook-prod-proofs' });
    proofs.resourceCountIs('AWS::KMS::Key', 1);
  });

  it('calls the function each night, after the first quarter of an hour (UTC)', () => {
    proofs.hasResourceProperties('AWS::Scheduler::Schedule', {
      ScheduleExpression: 'cron(30 0 * * ? *)',
      ScheduleExpressionTimezone: 'Etc/UTC',
      Target: Match.objectLike({ DeadLetterConfig: Match.anyValue(), Input: '{}' }),
    });
  });

  it('rings when a night has no proof, or its function is slow or turned away', () => {
    const alarms = Object.values(proofs.findResources('AWS::CloudWatch::Alarm'));
    const names = alarms.map(
      ({ Properties }: { Properties?: { AlarmName?: string } }) => Properties?.AlarmName,
    );
    expect(names.toSorted()).toEqual([
      'daybook-prod-prove-did-not-run',
      'daybook-prod-prove-slow',
      'daybook-prod-prove-throttled',
    ]);
    for (const alarm of alarms) expect(JSON.stringify(alarm)).toContain('Runbook: ');
  });

  it('gives the function the recorded rights, and nobody else the right to sign', async () => {
    await expect(`${statementsOf(proofs, 'prove').join('\n')}\n`).toMatchFileSnapshot('rights/prove.txt');
    const others = Object.entries(having.templates).filter(([name]) => name !== 'Proofs');
    for (const [name, template] of others)
      expect(JSON.stringify(template.toJSON()), name).not.toContain('kms:Sign');
  });

  it('lets nobody read customers’ data but who has the policy for it', async () => {
    const access = having.template('Access');
    const statements = managedStatementsOf(access, 'Verify');
    await expect(`${statements.join('\n')}\n`).toMatchFileSnapshot('rights/people/Verify.txt');
    for (const policy of ['Operators', 'ReadOnly', 'Forget'] as const)
      expect(managedStatementsOf(access, policy)).toEqual(
        managedStatementsOf(without.template('Access'), policy),
      );
    expect(
      rightsOfPolicy('Verify').filter(
        ({ action }) => !/^(s3:(Get|List)|kms:Decrypt|cloudformation:Desc)/.test(action),
      ),
    ).toEqual([]);
  });
});
