import {
  GetFunctionConfigurationCommand,
  ResourceNotFoundException,
  GetAccountSettingsCommand,
} from '@aws-sdk/client-lambda';
import type { FunctionConfiguration } from '@aws-sdk/client-lambda';
import { when } from '../../terminal/command-errors.ts';
import { bareAddress } from '#registry/mail-address.ts';
import { QUEUE_NAMES } from '#lib/functions.ts';
import { StageQueues } from '../../stage/stage-queues.ts';
import type { StageOutputs, Stage } from '../../stage/stage.ts';
import { fine, quotaIncrease, wrong, warning } from '../check.ts';
import type { Check, CheckedAccount, Finding, CheckedStage } from '../check.ts';
import { GetScheduleCommand, ResourceNotFoundException as NoSuchSchedule } from '@aws-sdk/client-scheduler';
import { QueueDoesNotExist } from '@aws-sdk/client-sqs';

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
      names.map((name) =>
        clients
          .lambda()
          .send(new GetFunctionConfigurationCommand({ FunctionName: name }))
          .then((found) => functionFindings(name, found, expectedVariables(stage), deploy))
          .catch(when(ResourceNotFoundException, () => [wrong(`${name} does not exist`, deploy)])),
      ),
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

/** Lambda's quota: can as many functions run as the queues start? */
export const lambdaQuota: Check<CheckedAccount> = {
  name: 'Lambda quota',
  looksAt: () => 'functions at the same time',
  look: async ({ stage, clients }) => {
    const { AccountLimit: limit = {} } = await clients.lambda().send(new GetAccountSettingsCommand({}));
    const quota = limit.UnreservedConcurrentExecutions ?? limit.ConcurrentExecutions ?? 0;
    const { reports, backfills, alerts } = stage.concurrency;
    const found = `the quota is ${quota}; ${reports} reports, ${backfills} backfills and ${alerts} batches of alert checks may run at the same time`;
    // The other functions need some, too.
    if (quota > reports + backfills + alerts) return [fine(found)];
    return [
      wrong(
        `${found}: calls are throttled`,
        stage.lines.aws(...quotaIncrease('lambda', 'L-B99A9384', '1000')),
      ),
    ];
  },
};

export const queues: Check = {
  name: 'Queues',
  looksAt: () => `${QUEUE_NAMES.join(', ')} and their dead-letter queues`,
  look: async ({ stage }: CheckedStage) => {
    const looked = new StageQueues(stage);
    const findings = await Promise.all(
      QUEUE_NAMES.map(async (name): Promise<Finding[]> => {
        const mend = stage.lines.cdk('deploy', '--all', '--revert-drift');
        const counts = await looked.counts([name]).catch(when(QueueDoesNotExist, () => null));
        if (counts === null)
          return [wrong(`the queue ${name} or its dead-letter queue does not exist`, mend)];
        const [{ putAside: count } = { putAside: 0 }] = counts;
        if (count === 0) return [];
        const was = count === 1 ? '1 message was' : `${count} messages were`;
        return [warning(`${was} put aside from the queue ${name}`, stage.lines.daybook('redrive', name))];
      }),
    );
    const bad = findings.flat();
    return bad.length > 0 ? bad : [fine(`all ${QUEUE_NAMES.length} are there, and nothing was put aside`)];
  },
};
