import validate from 'asl-validator';
import { describe, expect, it } from 'vitest';
import * as z from 'zod';
import { MOST_STATEMENT_BYTES } from '#lib/constructs/lake-machine-statement.ts';
import { lakeDefinition } from '#sandbox/step-functions/lake-definition.ts';
import type { Definition, State } from '#sandbox/step-functions/definition.ts';
import { defined } from '#support/assertions/defined.ts';
import { propertiesOf } from '#support/stacks/properties-of.ts';
import { synthesise } from '#support/stacks/synthesised.ts';

const stage = await synthesise('dev');
const template = stage.template('Lake');
const definition = lakeDefinition(template.toJSON(), 'data');

function allStates({ States }: Definition): [string, State][] {
  return Object.entries(States).flatMap(([name, state]): [string, State][] => [
    [name, state],
    ...(state.ItemProcessor === undefined ? [] : allStates(state.ItemProcessor)),
  ]);
}

const tasks = allStates(definition).filter(([, { Type }]) => Type === 'Task');
const statements = tasks.filter(([, { Resource }]) => String(Resource).endsWith('startQueryExecution.sync'));
const parametersSchema = z.looseObject({
  QueryString: z.string().optional(),
  'QueryString.$': z.string().optional(),
  WorkGroup: z.string(),
  QueryExecutionContext: z.object({ Catalog: z.string(), Database: z.string() }),
});
const retrierSchema = z.object({
  ErrorEquals: z.array(z.string()),
  MaxAttempts: z.int(),
  JitterStrategy: z.string(),
});

function attemptsOf({ Retry = [] }: State): number {
  return Retry.reduce((sum, retrier) => sum + retrierSchema.parse(retrier).MaxAttempts, 1);
}

describe('the state machine of the history', () => {
  it('is valid in the States Language', () => {
    const { isValid, errorsText } = validate(structuredClone(definition), {
      checkArn: true,
      checkPaths: true,
    });
    expect(errorsText('\n')).toBe('');
    expect(isValid).toBe(true);
  });

  it('runs every statement in its workgroup and database, within the limit of a text', () => {
    expect(statements.length).toBeGreaterThan(40);
    for (const [name, { Parameters }] of statements) {
      const { QueryString, WorkGroup, QueryExecutionContext, ...rest } = parametersSchema.parse(Parameters);
      const text = defined(QueryString ?? rest['QueryString.$'], name);
      expect(WorkGroup).toBe('daybook-dev-history');
      expect(QueryExecutionContext).toEqual({ Catalog: 'AwsDataCatalog', Database: 'daybook_dev' });
      // The values of a look are bounded, and much shorter than what is left.
      expect(Buffer.byteLength(text), name).toBeLessThan(MOST_STATEMENT_BYTES / 8);
      // The runner of the tests loses a backslash in a text with values.
      if (QueryString === undefined) expect(text.replaceAll(/\\['{}]/g, ''), name).not.toContain('\\');
    }
  });

  it('tries every statement again with full jitter, and says which one failed', () => {
    for (const [name, state] of statements) {
      const [notTaken, failed] = z.tuple([retrierSchema, retrierSchema]).parse(state.Retry);
      expect(notTaken.ErrorEquals, name).toContain('Athena.TooManyRequestsException');
      expect(failed.ErrorEquals, name).toEqual(['States.TaskFailed']);
      expect([notTaken.JitterStrategy, failed.JitterStrategy], name).toEqual(['FULL', 'FULL']);
      expect(state['Catch'], name).toMatchObject([{ ErrorEquals: ['States.ALL'], ResultPath: '$.failure' }]);
      expect(state['TimeoutSeconds'], name).toBe(2_100);
    }
    const again = (words: RegExp) =>
      statements.filter(([name]) => words.test(name)).map(([, state]) => attemptsOf(state));
    expect(new Set(again(/^(Join|Remove)/))).toEqual(new Set([35]));
    expect(new Set(again(/^Merge/))).toEqual(new Set([9]));
  });

  it('stays below 25,000 events when 400 days are loaded and every statement takes every retry', () => {
    const inside = statements.filter(([name]) => / of the slice|^Note that the/.test(name));
    expect(inside.map(([name]) => name)).toHaveLength(8);
    // Entered, exited, and for each attempt: scheduled, started, submitted, ended.
    const ofStatement = Math.max(...inside.map(([, state]) => 2 + 4 * attemptsOf(state)));
    // A slice has five days, and a slice of days has four statements. Each of the two choices and two passes is entered and left.
    const ofSlices = (400 / 5) * (4 * ofStatement + 2 * 4);
    const others = statements.length - 4;
    expect(ofSlices + others * ofStatement).toBeLessThan(25_000);
  });

  it('has slices that fit into a payload many times', () => {
    const slice = { what: 'days', days: "'2026-11-16','2026-11-17','2026-11-18','2026-11-19','2026-11-20'" };
    const bytes = Buffer.byteLength(JSON.stringify({ ...slice, from: '2026-11-16', to: '2026-11-20' }));
    expect(250 * bytes).toBeLessThan((256 * 1_024) / 4);
  });

  it('ends within a day, and logs failures without data', () => {
    const [machine] = Object.values(
      propertiesOf(template, 'AWS::StepFunctions::StateMachine', z.record(z.string(), z.unknown())),
    );
    expect(machine).toMatchObject({
      StateMachineName: 'daybook-dev-lake',
      StateMachineType: 'STANDARD',
      LoggingConfiguration: { IncludeExecutionData: false, Level: 'ERROR' },
    });
    expect(z.object({ TimeoutSeconds: z.int() }).parse(definition).TimeoutSeconds).toBe(72_000);
    template.hasResourceProperties('AWS::Logs::LogGroup', {
      LogGroupName: '/aws/vendedlogs/states/daybook-dev-lake',
    });
    expect(Object.keys(template.findOutputs('LakeStateMachine'))).toEqual(['LakeStateMachine']);
  });
});

const policySchema = z.object({
  PolicyDocument: z.object({
    Statement: z.array(
      z.object({
        Sid: z.string().optional(),
        Action: z.union([z.string(), z.array(z.string())]),
        Resource: z.unknown(),
        Condition: z.unknown().optional(),
      }),
    ),
  }),
});

describe('the rights of the machine', () => {
  const policies = Object.entries(propertiesOf(template, 'AWS::IAM::Policy', policySchema)).filter(([id]) =>
    id.startsWith('HistoryRole'),
  );
  const [[, policy]] = z.tuple([z.tuple([z.string(), policySchema])]).parse(policies);
  const bySid = new Map(policy.PolicyDocument.Statement.map((each) => [each.Sid ?? '', each]));
  const resources = (sid: string) => JSON.stringify(defined(bySid.get(sid), sid).Resource);
  const actions = (sid: string) => [defined(bySid.get(sid), sid).Action].flat();

  it('are these and no others', () => {
    expect([...bySid.keys()]).toEqual([
      'RunStatements',
      'FindTheCatalogue',
      'ReadTheCatalogue',
      'WriteTheCatalogue',
      'ReadTheFiles',
      'KeepTheHistory',
      'ListTheFiles',
      'FindTheFiles',
      'KeepAnswers',
      'FindAnswers',
      'UseTheKey',
      'CountTheRun',
      'DeliverTheLog',
    ]);
  });

  it('are for its workgroup, its tables and its prefixes', () => {
    expect(resources('RunStatements')).toContain(':workgroup/daybook-dev-history');
    expect(actions('ReadTheFiles')).toEqual(['s3:GetObject']);
    for (const prefix of ['/invoices/', '/refunds/', '/days/', '/mail/', '/changes/'])
      expect(resources('ReadTheFiles')).toContain(prefix);
    for (const other of ['config/', 'plan/', 'checked/', 'mail-stops/'])
      expect(resources('ReadTheFiles')).not.toContain(`/${other}`);
    expect(resources('KeepTheHistory')).toContain('/lake/*');
    expect(actions('KeepTheHistory')).toContain('s3:DeleteObject');
    for (const [sid, { Action }] of bySid) {
      if (sid !== 'KeepTheHistory') expect([Action].flat(), sid).not.toContain('s3:DeleteObject');
      expect([Action].flat().join(), sid).not.toMatch(/\*|glue:Delete/);
    }
    expect(actions('WriteTheCatalogue')).toEqual(['glue:CreateTable', 'glue:UpdateTable']);
    expect(resources('WriteTheCatalogue')).toContain('table/daybook_dev/all_invoices');
    // The tables over the JSON files belong to the stack.
    expect(resources('WriteTheCatalogue')).not.toMatch(/daybook_dev\/(latest_\w+|invoices|days|mail)"/);
    expect(defined(bySid.get('CountTheRun')).Condition).toEqual({
      StringEquals: { 'cloudwatch:namespace': 'Daybook/dev' },
    });
  });
});

describe('the schedules of the history', () => {
  it('start it daily, hourly and weekly, each with its input', () => {
    const schedules = Object.values(
      propertiesOf(
        template,
        'AWS::Scheduler::Schedule',
        z.object({ ScheduleExpression: z.string(), Target: z.object({ Input: z.string() }) }),
      ),
    ).map(({ ScheduleExpression, Target }) => [Target.Input, ScheduleExpression]);
    const { merge, look, maintain } = stage.settings.lake.schedules;
    expect(schedules).toEqual([
      ['{}', merge],
      ['{"merge":false}', look],
      ['{"maintain":true}', maintain],
    ]);
  });
});
