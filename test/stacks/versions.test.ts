import { describe, expect, it } from 'vitest';
import { Template } from 'aws-cdk-lib/assertions';
import * as z from 'zod';
import { FANNED_OUT, FUNCTIONS, versionOutput } from '#lib/functions.ts';
import { readSettings } from '#lib/settings.ts';
import { propertiesOf } from '#support/stacks/properties-of.ts';
import { synthesiseAnew } from '#support/stacks/synthesis.ts';
import { synthesise } from '#support/stacks/synthesised.ts';
import { textLike } from '#support/assertions/text-like.ts';

const { template } = await synthesise('prod');
const [functions, schedules] = [template('Functions'), template('Schedules')];

const machineSchema = z.object({ StateMachineName: z.string(), DefinitionString: z.unknown() });
const LIVE = { Name: 'live' };

/** The logical ids of the versions: a new id is a new version. */
function versionsOf(stack: Template): string[] {
  return Object.keys(stack.findResources('AWS::Lambda::Version'));
}

/** What each call of a function in the definition names, as the template says it. */
function calledBy(machine: z.infer<typeof machineSchema>): string[] {
  const text = JSON.stringify(machine.DefinitionString);
  return [...text.matchAll(/FunctionName\\":\\"",(\{.*?\}\}|[^,]*),/g)].map(([, called]) => called ?? '');
}

describe('a function', () => {
  it.each(Object.keys(FUNCTIONS))('has a version that later deploys keep, and an alias: %s', (name) => {
    const id = name.replaceAll('-', '');
    const [version, ...others] = Object.entries(functions.findResources('AWS::Lambda::Version')).filter(
      ([each]) => each.startsWith(`${id}Function`),
    );
    expect(others).toEqual([]);
    // It stays when a later one comes, and goes when the deploy that makes it fails.
    expect(version?.[1]).toMatchObject({
      DeletionPolicy: 'RetainExceptOnCreate',
      UpdateReplacePolicy: 'Retain',
    });
    functions.hasResourceProperties('AWS::Lambda::Alias', {
      ...LIVE,
      FunctionVersion: { 'Fn::GetAtt': [version?.[0], 'Version'] },
    });
  });

  it('that nobody waits for is tried again and has its dead letters, also when the alias is called', () => {
    const configured = propertiesOf(
      functions,
      'AWS::Lambda::EventInvokeConfig',
      z.object({ MaximumRetryAttempts: z.literal(2), Qualifier: z.unknown() }),
    );
    const aliases = Object.values(configured).filter(({ Qualifier }) => Qualifier !== '$LATEST');
    const unattended = Object.values(FUNCTIONS).filter((each) => each.unattended).length;
    expect(aliases).toHaveLength(unattended);
    const queue = z.object({ TargetArn: z.unknown() }).optional();
    const all = propertiesOf(functions, 'AWS::Lambda::Function', z.object({ DeadLetterConfig: queue }));
    const queued = Object.values(all).filter(({ DeadLetterConfig }) => DeadLetterConfig !== undefined);
    expect(queued).toHaveLength(unattended);
    for (const { Qualifier } of aliases) expect(JSON.stringify(Qualifier)).toMatch(/"\w+Live[0-9A-F]{8}"/);
  });

  it('gets events by its alias, with the right to call it', () => {
    const id = { Ref: textLike(/^maileventsLive/) };
    const [rule] = Object.values(
      propertiesOf(functions, 'AWS::Events::Rule', z.object({ Targets: z.unknown() })),
    );
    expect(rule?.Targets).toMatchObject([{ Arn: id }]);
    const permission = propertiesOf(
      functions,
      'AWS::Lambda::Permission',
      z.object({ FunctionName: z.unknown(), Principal: z.string() }),
    );
    expect(Object.values(permission)).toEqual([{ FunctionName: id, Principal: 'events.amazonaws.com' }]);
  });
});

describe('a fan-out', () => {
  const machines = propertiesOf(schedules, 'AWS::StepFunctions::StateMachine', machineSchema);

  it.each(Object.values(machines).map((machine) => [machine.StateMachineName, machine] as const))(
    'calls one version of each function from its first state to its last: %s',
    (name, machine) => {
      const called = calledBy(machine);
      const workers = name.endsWith('reports')
        ? (['daily-report', 'daily-report-batch', 'daily-report-large', 'statement'] as const)
        : (['alert-check'] as const);
      const version = (of: (typeof workers)[number] | 'plan') =>
        JSON.stringify({
          'Fn::GetStackOutput': { StackName: 'Daybook-prod-Functions', OutputName: versionOutput(of) },
        });
      expect(called.length).toBeGreaterThanOrEqual(5);
      expect(new Set(called)).toEqual(new Set([version('plan'), ...workers.map(version)]));
    },
  );

  it('is started by an alias of a version that later deploys keep', () => {
    for (const machine of ['Reports', 'Alerts']) {
      const [version] = Object.entries(
        schedules.findResources('AWS::StepFunctions::StateMachineVersion'),
      ).filter(([id]) => id.startsWith(machine));
      expect(version?.[1]).toMatchObject({
        DeletionPolicy: 'RetainExceptOnCreate',
        UpdateReplacePolicy: 'Retain',
        Properties: {
          StateMachineRevisionId: {
            'Fn::GetAtt': [textLike(`^${machine}StateMachine`), 'StateMachineRevisionId'],
          },
        },
      });
      schedules.hasResourceProperties('AWS::StepFunctions::StateMachineAlias', {
        ...LIVE,
        DeploymentPreference: {
          Type: 'ALL_AT_ONCE',
          StateMachineVersionArn: { 'Fn::GetAtt': [version?.[0], 'Arn'] },
        },
      });
    }
  });

  it('is started with a right on the state machine, because Step Functions checks no alias', () => {
    const policies = Object.values(schedules.findResources('AWS::IAM::Policy')).map((each) =>
      JSON.stringify(each),
    );
    const started = policies.filter((text) => text.includes('scheduler') || text.includes('SchedulerRole'));
    const starts = started.filter((text) => text.includes('states:StartExecution'));
    expect(starts).toHaveLength(2);
    for (const text of starts) expect(text).toMatch(/"Resource":\{"Ref":"(Reports|Alerts)StateMachine/);
  });
});

describe('a deploy', () => {
  /** The definitions' texts of both fan-outs: a stack whose text stays the same is not deployed. */
  const definitions = (stack: Template) =>
    Object.values(propertiesOf(stack, 'AWS::StepFunctions::StateMachine', machineSchema)).map((each) =>
      JSON.stringify(each.DefinitionString),
    );

  it('of other code makes other versions, and the fan-outs call them', () => {
    const anew = synthesiseAnew(readSettings('prod'), 'export const handler = async () => "other";\n');
    const [other, itsSchedules] = [anew['Functions'], anew['Schedules']].map((each) =>
      Template.fromJSON(z.record(z.string(), z.unknown()).parse(each)),
    );
    if (other === undefined || itsSchedules === undefined) throw new Error('a stack is missing');
    expect(new Set(versionsOf(other)).isDisjointFrom(new Set(versionsOf(functions)))).toBe(true);
    const [reports, alerts] = definitions(schedules);
    expect(definitions(itsSchedules)).not.toContain(reports);
    expect(definitions(itsSchedules)).not.toContain(alerts);
    // What they refer to has the same name in every version, so that a deploy that is rolled back finds it.
    for (const name of FANNED_OUT) {
      expect(other.findOutputs(versionOutput(name))).not.toEqual({});
      expect(functions.findOutputs(versionOutput(name))).not.toEqual({});
    }
  }, 180_000);

  it('of a setting of the functions makes other versions as well', async () => {
    const changed = await synthesise('prod', (settings) => {
      settings.deadlines.deliveryMinutes += 1;
    });
    const now = versionsOf(changed.template('Functions'));
    expect(new Set(now).isDisjointFrom(new Set(versionsOf(functions)))).toBe(true);
    expect(definitions(changed.template('Schedules'))).not.toEqual(definitions(schedules));
  }, 180_000);

  it('of anything else makes none: Lambda refuses a version that equals the last one', async () => {
    const changed = await synthesise('prod', (settings) => {
      settings.lake.scanLimit += 1;
      settings.retention.accessLogDays += 1;
      settings.schedules.daily = 'cron(0/20 * * * ? *)';
    });
    expect(versionsOf(changed.template('Functions'))).toEqual(versionsOf(functions));
    expect(definitions(changed.template('Schedules'))).toEqual(definitions(schedules));
  }, 180_000);
});
