import { readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { describe, expect, it } from 'vitest';
import * as z from 'zod';
import { FUNCTIONS } from '#lib/functions.ts';
import { propertiesOf } from '#support/stacks/properties-of.ts';
import { synthesise } from '#support/stacks/synthesised.ts';

const runbook = readFileSync(resolve(import.meta.dirname, '../../docs/runbook.md'), 'utf8');
const atOnce = await synthesise('prod');
const linear = await synthesise('prod', (settings) => {
  settings.deployment = 'linear';
});
const alarmSchema = z.object({
  AlarmName: z.string(),
  AlarmDescription: z.string(),
  AlarmActions: z.array(z.unknown()).optional(),
  MetricName: z.string(),
  TreatMissingData: z.literal('notBreaching'),
});
const alarmsOf = (stack: string) =>
  Object.values(propertiesOf(linear.template(stack), 'AWS::CloudWatch::Alarm', alarmSchema)).filter(
    ({ AlarmName }) => AlarmName.endsWith('-deploy'),
  );

describe('the setting deployment', () => {
  it('is all-at-once when it is left out: nothing of a gradual deploy is there', () => {
    expect(atOnce.settings.deployment).toBe('all-at-once');
    atOnce.template('Functions').resourceCountIs('AWS::CodeDeploy::DeploymentGroup', 0);
    expect(JSON.stringify(atOnce.templates)).not.toContain('-deploy"');
  });

  it('"linear" moves each alias that is called from outside in steps, and back when a call fails', () => {
    const functions = linear.template('Functions');
    const aliases = Object.entries(functions.findResources('AWS::Lambda::Alias')).filter(
      ([, alias]) => alias['UpdatePolicy'] !== undefined,
    );
    const unattended = Object.entries(FUNCTIONS).filter(([, { unattended: alone }]) => alone);
    expect(aliases.map(([id]) => id.replace(/Live\w+$/, '')).toSorted()).toEqual(
      unattended.map(([name]) => name.replaceAll('-', '')).toSorted(),
    );
    functions.allResourcesProperties('AWS::CodeDeploy::DeploymentGroup', {
      DeploymentConfigName: 'CodeDeployDefault.LambdaLinear10PercentEvery10Minutes',
      AutoRollbackConfiguration: {
        Enabled: true,
        Events: ['DEPLOYMENT_FAILURE', 'DEPLOYMENT_STOP_ON_ALARM'],
      },
    });
    const alarms = alarmsOf('Functions').map(({ AlarmName, MetricName }) => `${AlarmName} ${MetricName}`);
    expect(alarms.toSorted()).toEqual(
      unattended.map(([name]) => `daybook-prod-${name}-deploy Errors`).toSorted(),
    );
  });

  it('"linear" moves executions in steps, and back when one fails', () => {
    const schedules = linear.template('Schedules');
    for (const machine of ['reports', 'alerts']) {
      const name = `daybook-prod-${machine}-deploy`;
      expect(alarmsOf('Schedules')).toContainEqual(
        expect.objectContaining({ AlarmName: name, MetricName: 'ExecutionsFailed' }),
      );
      const [alarm] = Object.entries(propertiesOf(schedules, 'AWS::CloudWatch::Alarm', alarmSchema)).find(
        ([, { AlarmName }]) => AlarmName === name,
      ) ?? ['none'];
      schedules.hasResourceProperties('AWS::StepFunctions::StateMachineAlias', {
        DeploymentPreference: { Type: 'LINEAR', Percentage: 10, Interval: 10, Alarms: [{ Ref: alarm }] },
      });
    }
  });

  it('"linear" has alarms that notify nobody and that the runbook explains', () => {
    const alarms = [...alarmsOf('Functions'), ...alarmsOf('Schedules')];
    expect(alarms).toHaveLength(5);
    const [, section = ''] = /## A deploy was taken back\n(.*?)(?=\n## )/s.exec(runbook) ?? [];
    for (const { AlarmName, AlarmDescription, AlarmActions = [] } of alarms) {
      expect(AlarmActions).toEqual([]);
      expect(AlarmDescription).toContain('#a-deploy-was-taken-back');
      expect(section).toContain(`\`${AlarmName.replace('daybook-prod-', '')}\``);
    }
  });

  it('may change in a stage that is deployed, and replaces no version', () => {
    for (const type of ['AWS::Lambda::Version', 'AWS::StepFunctions::StateMachineVersion']) {
      for (const stack of ['Functions', 'Schedules'])
        expect(Object.keys(linear.template(stack).findResources(type))).toEqual(
          Object.keys(atOnce.template(stack).findResources(type)),
        );
    }
  });
});
