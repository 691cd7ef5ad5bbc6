import {
  GetFunctionConfigurationCommand,
  ResourceNotFoundException,
  GetAccountSettingsCommand,
} from '@aws-sdk/client-lambda';
import type { FunctionConfiguration } from '@aws-sdk/client-lambda';
import { bareAddress } from '#registry/mail-address.ts';
import type { StageOutputs, Stage } from '../../stage/stage.ts';
import { fine, wrong, unknown, warning } from '../check.ts';
import type { Check, Finding, CheckedStage } from '../check.ts';
import { GetScheduleCommand, ResourceNotFoundException as NoSuchSchedule } from '@aws-sdk/client-scheduler';
import { GetMetricDataCommand } from '@aws-sdk/client-cloudwatch';

/** The variables that come from other stacks, with the values that the stacks say now. */
function expectedVariables(stage: StageOutputs): Record<string, string> {
  return {
    DATA_BUCKET: stage.bucket,
    OPS_TOPIC_ARN: stage.topicArn,
    SES_CONFIGURATION_SET: stage.mail.configurationSet,
    MAIL_FROM: stage.mail.from,
    REGISTRY_KEY: stage.registryKey,
    CREDENTIALS_SECRET: stage.credentialsSecret,
  };
}

/** The functions: are they there, and do they use the bucket, topic and sender that the other stacks have now? */
export const functions: Check = {
  name: 'Functions',
  looksAt: ({ stage }) => `${Object.keys(stage.functions).length} functions and their variables`,
  look: async ({ stage, clients }: CheckedStage) => {
    // CloudFormation looks at what is really there only with it: the templates can be the same.
    const deploy = stage.lines.cdk('deploy', '--all', '--revert-drift');
    const names = Object.values(stage.functions);
    const findings = await Promise.all(
      names.map(async (name): Promise<Finding[]> => {
        try {
          const configuration = await clients
            .lambda()
            .send(new GetFunctionConfigurationCommand({ FunctionName: name }));
          return functionFindings(name, configuration, expectedVariables(stage), deploy);
        } catch (error) {
          if (!(error instanceof ResourceNotFoundException)) throw error;
          return [wrong(`${name} does not exist`, deploy)];
        }
      }),
    );
    const bad = findings.flat();
    return bad.length > 0 ? bad : [fine(`all ${names.length} use what the stacks have`)];
  },
};

function functionFindings(
  name: string,
  { Environment, State, LastUpdateStatus }: FunctionConfiguration,
  expected: Record<string, string>,
  deploy: string,
): Finding[] {
  const variables = Environment?.Variables ?? {};
  const valueOf = (variable: string) => {
    const value = variables[variable];
    return variable === 'MAIL_FROM' && value !== undefined ? bareAddress(value) : value;
  };
  const stale = Object.entries(expected).filter(([variable, value]) => {
    const used = valueOf(variable);
    // The registry has a default key.
    return used === undefined ? variable !== 'REGISTRY_KEY' : used !== value;
  });
  const isBroken = State === 'Failed' || LastUpdateStatus === 'Failed';
  return [
    ...(isBroken ? [wrong(`the last deploy of ${name} failed`, deploy)] : []),
    ...stale.map(([variable, value]) =>
      wrong(
        `${name} has another ${variable} than the stacks: ${valueOf(variable) ?? 'none'} instead of ${value}`,
        deploy,
      ),
    ),
  ];
}

/** The schedules: are they there, and enabled? */
export const schedules: Check = {
  name: 'Schedules',
  looksAt: ({ stage }) => `the group ${stage.schedules.group}`,
  look: async (checked: CheckedStage) => {
    const { names } = checked.stage.schedules;
    const findings = await Promise.all(names.map((name) => scheduleFinding(checked, name)));
    const bad = findings.filter((finding) => finding !== undefined);
    if (bad.length > 0) return bad;
    if (names.length > 0) return [fine(`all ${names.length} are enabled`)];
    return [wrong('the stage has none: nothing runs by itself', deploy(checked.stage))];
  },
};

function deploy({ name, lines }: Stage): string {
  return lines.cdk('deploy', `Daybook-${name}-Schedules`);
}

async function scheduleFinding({ stage, clients }: CheckedStage, name: string): Promise<Finding | undefined> {
  try {
    const schedule = await clients
      .scheduler()
      .send(new GetScheduleCommand({ GroupName: stage.schedules.group, Name: name }));
    if (schedule.State === 'ENABLED') return undefined;
    const what = schedule.Description === undefined ? name : `${name} (${schedule.Description})`;
    return wrong(
      `${what} is disabled`,
      `enable it in the console of EventBridge Scheduler, group ${stage.schedules.group}. If nobody changed it by hand: ${deploy(stage)}`,
    );
  } catch (error) {
    if (!(error instanceof NoSuchSchedule)) throw error;
    return wrong(`${name} does not exist`, deploy(stage));
  }
}

/** Lambda's quota: can as many functions run as both state machines start? */
export const lambdaQuota: Check = {
  name: 'Lambda quota',
  looksAt: () => 'functions at the same time',
  look: async ({ stage, clients }: CheckedStage) => {
    const { AccountLimit: limit = {} } = await clients.lambda().send(new GetAccountSettingsCommand({}));
    const quota = limit.UnreservedConcurrentExecutions ?? limit.ConcurrentExecutions ?? 0;
    if (stage.concurrency === undefined) {
      return [
        unknown(
          `the quota is ${quota}; the stage does not say its concurrency`,
          stage.lines.cdk('deploy', '--all'),
        ),
      ];
    }
    const { reports, alerts } = stage.concurrency;
    const found = `the quota is ${quota}; ${reports} reports and ${alerts} alert checks may run at the same time`;
    // The other functions need some, too.
    if (quota > reports + alerts) return [fine(found)];
    return [
      wrong(
        `${found}: calls are throttled`,
        stage.lines.aws(
          ...['service-quotas', 'request-service-quota-increase', '--service-code', 'lambda'],
          ...['--quota-code', 'L-B99A9384', '--desired-value', '1000'],
        ),
      ),
    ];
  },
};

const DAY = 86_400;
const DAYS = 7;

/** What Step Functions counts when it is over one of its quotas. */
const THROTTLED = [
  { Id: 'transitions', what: 'state transitions', Name: 'ServiceMetric', Value: 'StateTransition' },
  { Id: 'starts', what: 'calls of StartExecution', Name: 'APIName', Value: 'StartExecution' },
] as const;

/** The quotas of Step Functions, which are smaller in a new account: did anything have to wait for them? */
export const stepFunctionsQuota: Check = {
  name: 'Step Functions quota',
  looksAt: () => `state transitions and starts of the last ${DAYS} days`,
  look: async ({ clients, now }: CheckedStage) => {
    const { MetricDataResults = [] } = await clients.cloudWatch().send(
      new GetMetricDataCommand({
        StartTime: new Date(now() - DAYS * DAY * 1_000),
        EndTime: new Date(now()),
        MetricDataQueries: THROTTLED.map(({ Id, Name, Value }) => ({
          Id,
          MetricStat: {
            Metric: { Namespace: 'AWS/States', MetricName: 'ThrottledEvents', Dimensions: [{ Name, Value }] },
            Period: DAY,
            Stat: 'Sum',
          },
        })),
      }),
    );
    const findings = THROTTLED.flatMap(({ Id, what }) => {
      const { Values = [] } = MetricDataResults.find((result) => result.Id === Id) ?? {};
      const count = Values.reduce((sum, value) => sum + value, 0);
      return count === 0
        ? []
        : [
            warning(
              `${count} ${what} were throttled in the last seven days: reports and alerts come later`,
              'open Service Quotas in the AWS console, "AWS Step Functions", and ask for larger quotas; AWS also raises those of a new account by itself',
            ),
          ];
    });
    return findings.length > 0 ? findings : [fine('nothing was throttled')];
  },
};
