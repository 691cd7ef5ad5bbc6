import { readdirSync, readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { Duration } from 'aws-cdk-lib';
import { Match } from 'aws-cdk-lib/assertions';
import validate from 'asl-validator';
import { describe, expect, it } from 'vitest';
import { LASTING_ERRORS, PASSING_ERRORS } from '#lib/constructs/merchant-fan-out-errors.ts';
import { MOST_SHARED_DAYS } from '#plan/shared-child.ts';
import { definitionOf, fanOutStack } from '#sandbox/step-functions/fan-out-stack.ts';
import type { Definition, State } from '#sandbox/step-functions/definition.ts';
import { cdk } from '#support/stacks/cdk-json.ts';
import { defined } from '#support/assertions/defined.ts';
import * as z from 'zod';

const { template: dailyTemplate } = fanOutStack('daily');
const { template: alertTemplate } = fanOutStack('alert');
const daily = definitionOf(dailyTemplate);
const alert = definitionOf(alertTemplate);
const machines = [
  { kind: 'daily', definition: daily, template: dailyTemplate },
  { kind: 'alert', definition: alert, template: alertTemplate },
] as const;
const FIRST = 'First round: every merchant';
const OWN = 'A child for each merchant';
const SHARED = 'A child for several small merchants';
const SECOND = 'Second round: the failed ones';
/** How an execution with statements may end. */
const STATEMENTS_ENDINGS = [
  { Variable: '$.statementsFailure', IsPresent: true, Next: 'The statements did not run' },
  {
    And: [
      { Variable: '$.failingStatements', IsPresent: true },
      { Variable: '$.failingStatements.failedPercentage', NumericGreaterThan: 5 },
    ],
    Next: 'Say how many statements failed',
  },
];

/** Every state with its name, those of children included. */
function allStates({ States }: Pick<Definition, 'States'>): [string, State][] {
  return Object.entries(States).flatMap(([name, state]): [string, State][] => [
    [name, state],
    ...(state.ItemProcessor === undefined ? [] : allStates(state.ItemProcessor)),
    ...(state.Branches ?? []).flatMap(allStates),
  ]);
}

function tasksOf(definition: Definition): [string, State][] {
  return allStates(definition).filter(([, state]) => state.Type === 'Task');
}

const batcherSchema = z.object({ MaxItemsPerBatch: z.number() }).optional();
const retrierSchema = z.object({ MaxAttempts: z.number(), MaxDelaySeconds: z.number() });

/** A state by its name, wherever it is. */
function stateOf(definition: Definition, name: string): State {
  return defined(new Map(allStates(definition)).get(name), name);
}

/** The task of a map's children that calls the function of the merchant. */
function workOf(definition: Definition, map: string): State {
  const [task] = tasksOf(defined(stateOf(definition, map).ItemProcessor));
  return defined(task)[1];
}

const THROTTLED = ['Lambda.TooManyRequestsException'];
const PASSING = [
  'Lambda.ServiceException',
  'Lambda.AWSLambdaException',
  'Lambda.SdkClientException',
  'Lambda.ClientExecutionTimeoutException',
  'ConnectionError',
  'RateLimitedError',
  'RequestTimeoutError',
  'ServerError',
  'MalformedAnswerError',
  'StorageError',
  'SealContestedError',
  'StateContestedError',
  'MailUnfinishedError',
];

/** Retried for `plan` only, which is safe to repeat and takes seconds. */
const DIED = [
  'Sandbox.Timedout',
  'States.Timeout',
  'Lambda.Unknown',
  'Runtime.ExitError',
  'Runtime.OutOfMemory',
];

function isOfPlan(name: string): boolean {
  return !name.startsWith('Invoke the function');
}

describe.each(machines)('the state machine of the kind $kind', ({ kind, definition, template }) => {
  it('is valid in the States Language', () => {
    const { isValid, errorsText } = validate(structuredClone(definition), {
      checkArn: true,
      checkPaths: true,
    });
    expect(errorsText('\n')).toBe('');
    expect(isValid).toBe(true);
  });

  it('reads items by key, tolerates every failure, and writes results', () => {
    const firsts =
      kind === 'daily'
        ? [
            [OWN, 'FirstRound', '$.plan.own.itemsKey'],
            [SHARED, 'SharedRound', '$.plan.shared.itemsKey'],
          ]
        : [[FIRST, 'FirstRound', '$.plan.itemsKey']];
    for (const [name = '', label, itemsKey] of firsts) {
      expect(stateOf(definition, name)).toMatchObject({
        Type: 'Map',
        Label: label,
        ToleratedFailurePercentage: 100,
        ItemReader: {
          Resource: 'arn:aws:states:::s3:getObject',
          ReaderConfig: { InputType: 'JSON' },
          Parameters: { Bucket: 'daybook-data', 'Key.$': itemsKey },
        },
        ResultWriter: {
          Resource: 'arn:aws:states:::s3:putObject',
          Parameters: { Bucket: 'daybook-data', Prefix: `plan/results/${kind}` },
        },
        ResultSelector: { 'manifestKey.$': '$.ResultWriterDetails.Key' },
      });
    }
    expect(definition.States[FIRST]).toMatchObject({ ResultPath: '$.first' });
    expect(definition.States[SECOND]).toMatchObject({
      Label: 'SecondRound',
      ToleratedFailurePercentage: 100,
      ItemReader: { Parameters: { 'Key.$': '$.failed.itemsKey' } },
      ResultWriter: { Parameters: { Prefix: `plan/results/${kind}` } },
      ResultPath: '$.second',
    });
  });

  it('retries only passing errors, with full jitter and a maximum wait', () => {
    const tasks = tasksOf(definition);
    expect(tasks).toHaveLength(kind === 'daily' ? 15 : 5);
    for (const [name, { Retry = [] }] of tasks) {
      expect(
        Retry.map(({ ErrorEquals }) => ErrorEquals),
        name,
      ).toEqual(isOfPlan(name) ? [THROTTLED, PASSING, DIED] : [THROTTLED, PASSING]);
      for (const retrier of Retry) {
        expect(retrier['JitterStrategy']).toBe('FULL');
        expect(retrier['MaxDelaySeconds']).toBeLessThanOrEqual(300);
      }
    }
  });

  it('asks plan to compare the results with the number of items', () => {
    const payloadOf = (name: string) => definition.States[name]?.['Parameters'];
    expect(payloadOf('Plan the failed ones once more')).toMatchObject({
      Payload: {
        kind,
        'failedOf.$': kind === 'daily' ? '$.first.manifestKeys' : '$.first.manifestKey',
        'planned.$': '$.plan.itemCount',
      },
    });
    expect(payloadOf('Count those that still fail')).toMatchObject({
      Payload: {
        kind,
        'failedOf.$': '$.second.manifestKey',
        'planned.$': '$.failed.itemCount',
        'of.$': '$.plan.itemCount',
      },
    });
  });

  it('has a time limit for every answer', () => {
    for (const [name, { TimeoutSeconds }] of tasksOf(definition)) {
      expect(TimeoutSeconds, name).toBeLessThanOrEqual(905);
    }
  });

  it('tolerates a share of failures, and fails by name above it', () => {
    const failing = { Variable: '$.failing', IsPresent: true };
    expect(definition.States['How does it end?']).toMatchObject({
      Choices: [
        {
          And: [failing, { Variable: '$.failing.failedPercentage', NumericGreaterThan: 5 }],
          Next: 'Say how many still fail',
        },
        ...(kind === 'daily' ? STATEMENTS_ENDINGS : []),
        {
          And: [failing, { Variable: '$.failing.itemCount', NumericGreaterThan: 0 }],
          Next: 'Some still fail, within what is tolerated',
        },
        { Variable: '$.plan.itemCount', NumericEquals: 0, Next: 'Nothing due' },
      ],
      Default: 'Every merchant is done',
    });
    expect(definition.States['Too many still fail']).toMatchObject({
      Type: 'Fail',
      Error: 'MerchantsStillFailing',
      CausePath: '$.cause',
    });
  });

  it('logs only errors, without data, to a log group under /aws/vendedlogs', () => {
    template.hasResourceProperties('AWS::StepFunctions::StateMachine', {
      StateMachineName: `daybook-test-${kind}`,
      StateMachineType: 'STANDARD',
      LoggingConfiguration: { IncludeExecutionData: false, Level: 'ERROR' },
      TracingConfiguration: { Enabled: false },
    });
    template.hasResourceProperties('AWS::Logs::LogGroup', {
      LogGroupName: `/aws/vendedlogs/states/daybook-test-${kind}`,
      RetentionInDays: 30,
    });
  });

  it('has only the rights that it needs', () => {
    const states = (rest: string) => `arn:aws:states:eu-central-1:111122223333:${rest}`;
    const objects = (prefix: string) => {
      const arns = [kind, ...(kind === 'daily' ? ['statement'] : [])].map((name) => ({
        'Fn::Join': [
          '',
          [{ 'Fn::GetAtt': [Match.stringLikeRegexp('^Bucket'), 'Arn'] }, `/${prefix}/${name}/*`],
        ],
      }));
      return arns.length === 1 ? arns[0] : arns;
    };
    const machine = `daybook-test-${kind}`;
    const names =
      kind === 'daily'
        ? ['dailyreport[0-9A-F]', 'dailyreportbatch', 'dailyreportlarge', 'plan', 'statement']
        : ['alertcheck', 'plan'];
    const functions = names.map((id) => ({
      'Fn::GetAtt': [Match.stringLikeRegexp(`^${id}`), 'Arn'],
    }));
    const labels = [
      ...['FirstRound', 'SecondRound'],
      ...(kind === 'daily' ? ['SharedRound'] : []),
      ...(kind === 'daily' ? ['Statements', 'StatementsAgain'] : []),
    ];
    const children = labels.map((label) => states(`execution:${machine}/${label}:*`));
    template.hasResourceProperties('AWS::IAM::Policy', {
      PolicyDocument: {
        Statement: [
          {
            Sid: 'CallTheFunctions',
            Effect: 'Allow',
            Action: 'lambda:InvokeFunction',
            Resource: [...functions, ...functions.map((arn) => ({ 'Fn::Join': ['', [arn, ':*']] }))],
          },
          {
            Sid: 'ReadItems',
            Effect: 'Allow',
            Action: 's3:GetObject',
            Resource: objects('plan'),
          },
          {
            Sid: 'WriteResults',
            Effect: 'Allow',
            Action: [
              's3:AbortMultipartUpload',
              's3:GetObject',
              's3:ListMultipartUploadParts',
              's3:PutObject',
            ],
            Resource: objects('plan/results'),
          },
          {
            Sid: 'UseTheKey',
            Effect: 'Allow',
            Action: ['kms:Decrypt', 'kms:GenerateDataKey'],
            Resource: { 'Fn::GetAtt': [Match.stringLikeRegexp('^Key'), 'Arn'] },
          },
          {
            Sid: 'StartChildren',
            Effect: 'Allow',
            Action: 'states:StartExecution',
            Resource: states(`stateMachine:${machine}`),
          },
          {
            Sid: 'FollowChildren',
            Effect: 'Allow',
            Action: ['states:DescribeExecution', 'states:StopExecution'],
            Resource: [...children, states(`execution:${machine}:*`)],
          },
          {
            Sid: 'RedriveChildren',
            Effect: 'Allow',
            Action: 'states:RedriveExecution',
            Resource: children,
          },
          { Sid: 'DeliverTheLog', Effect: 'Allow', Action: Match.anyValue(), Resource: '*' },
        ],
      },
    });
    // Rights that the library grants by itself would be in separate policies.
    template.resourceCountIs('AWS::IAM::Policy', 1);
    const [role] = Object.values(template.findResources('AWS::IAM::Role')).filter((resource) =>
      JSON.stringify(resource).includes('states.amazonaws.com'),
    );
    expect(role).toHaveProperty('Properties');
    expect(role).not.toHaveProperty('Properties.ManagedPolicyArns');
    expect(role).not.toHaveProperty('Properties.Policies');
  });
});

describe('the round of the reports', () => {
  it('is always remembered and says how it is run, whatever the event says', () => {
    expect(daily.States['Its items will be run']).toEqual({
      Type: 'Pass',
      Result: { places: 40, largeBytes: 100_000 },
      ResultPath: '$.run',
      Next: 'Plan who is due',
    });
    expect(daily.States['Plan who is due']?.['Parameters']).toMatchObject({ 'Payload.$': '$' });
    expect(alert.States).not.toHaveProperty('Its items will be run');
  });

  it.each([
    ['Say that it ended', 'Is it a tick of the schedule?'],
    ['Say that it ended, with some that failed', 'Is it a tick of the schedule?'],
  ])('ends in "%s", which never fails the execution', (name, Next) => {
    expect(daily.States[name]).toMatchObject({
      Parameters: { Payload: { kind: 'daily', 'finished.$': '$.plan.itemsKey' } },
      ResultPath: null,
      Catch: [{ ErrorEquals: ['States.ALL'], ResultPath: null, Next }],
      Next,
    });
    expect(alert.States).not.toHaveProperty(name);
  });
});

describe('child executions', () => {
  it('of reports are STANDARD, with one item each and its days one after another', () => {
    for (const [name, label, atOnce] of [
      [OWN, 'first round', { MaxConcurrencyPath: '$.plan.own.places' }],
      [SECOND, 'second round', { MaxConcurrency: 40 }],
    ] as const) {
      const map = stateOf(daily, name);
      expect(map).not.toHaveProperty('ItemBatcher');
      expect(map).toMatchObject({
        ...atOnce,
        ItemProcessor: { ProcessorConfig: { Mode: 'DISTRIBUTED', ExecutionType: 'STANDARD' } },
      });
      expect(map.ItemProcessor?.States[`Is it a large one? (${label})`]).toMatchObject({
        Choices: [{ Variable: '$.large', IsPresent: true, Next: `Each day (${label}, large)` }],
        Default: `Each day (${label})`,
      });
      for (const days of [`Each day (${label})`, `Each day (${label}, large)`])
        expect(map.ItemProcessor?.States[days]).toMatchObject({
          ItemsPath: '$.days',
          MaxConcurrency: 1,
          ItemProcessor: { ProcessorConfig: { Mode: 'INLINE' } },
        });
    }
  });

  it('of small merchants are EXPRESS, with five merchants side by side and the days of each one after another', () => {
    const map = stateOf(daily, SHARED);
    expect(map).toMatchObject({
      MaxConcurrencyPath: '$.plan.shared.batches',
      ItemBatcher: { MaxItemsPerBatch: 5 },
      ItemProcessor: { ProcessorConfig: { ExecutionType: 'EXPRESS' } },
    });
    const each = defined(map.ItemProcessor?.States['Each merchant of the child (shared round)']);
    expect(each).toMatchObject({ ItemsPath: '$.Items', MaxConcurrency: 5 });
    expect(each.ItemProcessor?.States['Each day (shared round)']).toMatchObject({
      ItemsPath: '$.days',
      MaxConcurrency: 1,
    });
  });

  it('of small merchants end within five minutes whatever happens', () => {
    const task = workOf(daily, SHARED);
    const [throttled, passing] = z.tuple([retrierSchema, retrierSchema]).parse(task.Retry);
    // Nothing but throttling is tried again there. It waits for the second round.
    expect(passing.MaxAttempts).toBe(0);
    const day = Number(task['TimeoutSeconds']) + throttled.MaxAttempts * throttled.MaxDelaySeconds;
    expect(day * MOST_SHARED_DAYS).toBe(284);
  });

  it('of alert checks are EXPRESS, first in batches and then one by one, with at most forty calls', () => {
    expect(alert.States[FIRST]).toMatchObject({
      MaxConcurrency: 8,
      ItemBatcher: { MaxItemsPerBatch: 5 },
      ItemProcessor: { ProcessorConfig: { ExecutionType: 'EXPRESS' } },
    });
    expect(
      alert.States[FIRST]?.ItemProcessor?.States['Each merchant of the batch (first round)'],
    ).toMatchObject({
      ItemsPath: '$.Items',
      MaxConcurrency: 5,
    });
    expect(alert.States[SECOND]).toMatchObject({ MaxConcurrency: 40, ItemBatcher: { MaxItemsPerBatch: 1 } });
  });

  it('of alert checks never make more calls at once than the setting allows', () => {
    const few = definitionOf(fanOutStack('alert', { maxConcurrency: 3 }).template);
    expect(few.States[FIRST]).toMatchObject({ MaxConcurrency: 1, ItemBatcher: { MaxItemsPerBatch: 3 } });
  });

  it.each([1, 2, 3, 4, 5, 6, 7, 20, 50, 1_000])(
    'make at most %d calls at once in either round when that is the setting',
    (maxConcurrency) => {
      for (const [kind, names] of [
        // Plan shares out the places of the first round of the reports.
        ['daily', [SECOND]],
        ['alert', [FIRST, SECOND]],
      ] as const) {
        const { States } = definitionOf(fanOutStack(kind, { maxConcurrency }).template);
        for (const name of names) {
          const label = name === FIRST ? 'first round' : 'second round';
          const round = defined(States[name]);
          const each = `${kind === 'daily' ? 'Each day' : 'Each merchant of the batch'} (${label})`;
          const ofAChild = Number(round.ItemProcessor?.States[each]?.['MaxConcurrency']);
          const batch = batcherSchema.parse(round['ItemBatcher']);
          const atOnce =
            Number(round['MaxConcurrency']) * Math.min(ofAChild, batch?.MaxItemsPerBatch ?? Infinity);
          expect(atOnce, `${kind}, ${label}`).toBeGreaterThanOrEqual(1);
          expect(atOnce, `${kind}, ${label}`).toBeLessThanOrEqual(maxConcurrency);
          // A batch starts only as a whole, so up to four calls of the first round can stay unused.
          expect(atOnce, `${kind}, ${label}`).toBeGreaterThan(maxConcurrency - 5);
        }
      }
    },
  );

  it.each([1, 3, 10, 11, 19, 20, 50, 1_000])(
    'of statements make at most %d calls at once in either round when that is the setting',
    (maxConcurrency) => {
      const { States } = definitionOf(fanOutStack('daily', { maxConcurrency }).template);
      const rounds = {
        'Every statement that is due': 'statements',
        'Every statement that failed': 'statements again',
      };
      for (const [name, label] of Object.entries(rounds)) {
        const round = defined(States[name]);
        const { MaxItemsPerBatch } = defined(batcherSchema.parse(round['ItemBatcher']));
        const ofAChild = Number(round.ItemProcessor?.States[`Each statement (${label})`]?.['MaxConcurrency']);
        // All of a batch at the same time: one after another they could take more than the five minutes of an EXPRESS child.
        expect(MaxItemsPerBatch).toBeLessThanOrEqual(ofAChild);
        expect(Number(round['MaxConcurrency']) * MaxItemsPerBatch).toBeLessThanOrEqual(maxConcurrency);
        expect(Number(round['MaxConcurrency']) * MaxItemsPerBatch).toBeGreaterThan(maxConcurrency - 10);
      }
    },
  );

  it.each([
    ['alert checks', workOf(alert, FIRST)],
    ['statements', workOf(daily, 'Every statement that is due')],
  ])('of %s end within five minutes whatever happens', (_, task) => {
    const [throttled, passing] = z.tuple([retrierSchema, retrierSchema]).parse(task.Retry);
    const attempts = 1 + passing.MaxAttempts;
    const waits =
      throttled.MaxAttempts * throttled.MaxDelaySeconds + passing.MaxAttempts * passing.MaxDelaySeconds;
    // All of a batch run at once, so the slowest one counts.
    expect(attempts * Number(task['TimeoutSeconds']) + waits).toBe(270);
  });

  it('stop the synth when the worker is too slow for a batch', () => {
    expect(() => fanOutStack('alert', { workerTimeout: Duration.minutes(3) })).toThrow(
      "the worker's time limit is too long: a batch may take 390 s, and an EXPRESS workflow ends after 300 s",
    );
  });

  it('of the longest backfill stay below 25,000 events even when every day takes every retry', () => {
    const retriers = z.array(retrierSchema).parse(workOf(daily, OWN).Retry);
    const attempts = retriers.reduce((sum, { MaxAttempts }) => sum + MaxAttempts, 1);
    expect(attempts).toBe(14);
    // Iteration started and ended, task and pass entered and left; for each attempt: scheduled, started, failed.
    const ofADay = 2 + 2 + 2 + attempts * 3;
    // Execution, choice, map (four), choice, two passes, fail.
    const around = 2 + 2 + 4 + 2 + 4 + 1;
    expect(366 * ofADay + around).toBe(17_583);
    expect(366 * ofADay + around).toBeLessThan(25_000);
  });
});

describe('the feature flag for results of a fan-out', () => {
  it('is set in the context of the app', () => {
    expect(cdk.context['@aws-cdk/aws-stepfunctions:useDistributedMapResultWriterV2']).toBe(true);
  });

  it('stops the synth when it is not set', () => {
    expect(() => fanOutStack('daily', {}, {})).toThrow(
      'without the feature flag "@aws-cdk/aws-stepfunctions:useDistributedMapResultWriterV2" in the context, no results are written',
    );
  });
});

describe('the errors of the functions', () => {
  /** The literal names in the functions' sources; state machines match on nothing else. */
  function namesInSources(): string[] {
    const folder = resolve(import.meta.dirname, '../../functions');
    const sources = readdirSync(folder, { recursive: true, encoding: 'utf8' }).filter((file) =>
      file.endsWith('.ts'),
    );
    return sources.flatMap((file) =>
      [...readFileSync(join(folder, file), 'utf8').matchAll(/override readonly name = '(\w+)'/g)].map(
        ([, name = '']) => name,
      ),
    );
  }

  it('are all listed by name, either as passing or as lasting', () => {
    const decided = [...Object.keys(PASSING_ERRORS), ...Object.keys(LASTING_ERRORS)];
    expect(decided.toSorted()).toEqual(namesInSources().toSorted());
    expect(new Set(decided).size).toBe(decided.length);
  });

  it('are not retried when a person must act', () => {
    for (const name of [
      'SecretError',
      'ContractError',
      'InvalidEventError',
      'LoginRefusedError',
      'CipherError',
    ]) {
      expect(PASSING_ERRORS).not.toHaveProperty(name);
      expect(PASSING).not.toContain(name);
    }
  });
});
