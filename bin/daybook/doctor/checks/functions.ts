import {
  GetFunctionConfigurationCommand,
  ResourceNotFoundException,
  GetAccountSettingsCommand,
  LambdaClient,
} from '@aws-sdk/client-lambda';
import { when } from '../../terminal/command-errors.ts';
import { bareAddress } from '#registry/mail-address.ts';
import { QUEUE_NAMES } from '#lib/functions.ts';
import { StageQueues } from '../../stage/stage-queues.ts';
import type { Lines } from '../../stage/stage.ts';
import { fine, orFine, quotaIncrease, wrong, warning } from '../check.ts';
import type { Check, CheckedAccount, Finding } from '../check.ts';
import {
  GetScheduleCommand,
  ResourceNotFoundException as NoSuchSchedule,
  SchedulerClient,
} from '@aws-sdk/client-scheduler';
import { QueueDoesNotExist } from '@aws-sdk/client-sqs';

/** CloudFormation looks at what is really there only with this option: the templates can be the same. */
export function deployAnew({ cdk }: Lines): string {
  return cdk('deploy', '--all', '--revert-drift');
}

/** The functions: are they there, and do they use the bucket, topic and sender that the other stacks have now? */
export const functions: Check = {
  name: 'Functions',
  looksAt: ({ stage }) => `${Object.keys(stage.functions).length} functions and their variables`,
  look: async ({ stage, client }) => {
    const lambda = client(LambdaClient);
    const deploy = deployAnew(stage.lines);
    const names = Object.values(stage.functions);
    const expected = {
      DATA_BUCKET: stage.bucket,
      OPS_TOPIC_ARN: stage.topicArn,
      SES_CONFIGURATION_SET: stage.mail.configurationSet,
      MAIL_FROM: stage.mail.from,
      REGISTRY_KEY: stage.registryKey,
      CREDENTIALS_SECRET: stage.credentialsSecret,
    };
    const findings = await Promise.all(
      names.map(async (name): Promise<Finding[]> => {
        const read = lambda.send(new GetFunctionConfigurationCommand({ FunctionName: name }));
        const found = await read.catch(when(ResourceNotFoundException, () => undefined));
        if (found === undefined) return [wrong(`${name} does not exist`, deploy)];
        const isBroken = found.State === 'Failed' || found.LastUpdateStatus === 'Failed';
        const bad = isBroken ? [wrong(`the last deploy of ${name} failed`, deploy)] : [];
        const variables = found.Environment?.Variables ?? {};
        for (const [variable, value] of Object.entries(expected)) {
          // The registry has a default key.
          const standard = variable === 'REGISTRY_KEY' ? value : 'none';
          const given = variables[variable] ?? standard;
          const used = variable === 'MAIL_FROM' ? bareAddress(given) : given;
          const what = `${name} has another ${variable} than the stacks: ${used} instead of ${value}`;
          if (used !== value) bad.push(wrong(what, deploy));
        }
        return bad;
      }),
    );
    return orFine(findings.flat(), `all ${names.length} use what the stacks have`);
  },
};

export const schedules: Check = {
  name: 'Schedules',
  looksAt: ({ stage }) => `the group ${stage.schedules.group}`,
  look: async ({ stage, client }) => {
    const { group, names } = stage.schedules;
    const deploy = stage.lines.cdk('deploy', `Daybook-${stage.name}-Schedules`);
    if (names.length === 0) return [wrong('the stage has none: nothing runs by itself', deploy)];
    const scheduler = client(SchedulerClient);
    const findings = await Promise.all(
      names.map(async (name): Promise<Finding[]> => {
        const read = scheduler.send(new GetScheduleCommand({ GroupName: group, Name: name }));
        const schedule = await read.catch(when(NoSuchSchedule, () => undefined));
        if (schedule === undefined) return [wrong(`${name} does not exist`, deploy)];
        if (schedule.State === 'ENABLED') return [];
        const what = schedule.Description === undefined ? name : `${name} (${schedule.Description})`;
        const enable = `enable it in the console of EventBridge Scheduler, group ${group}`;
        return [wrong(`${what} is disabled`, `${enable}. If nobody changed it by hand: ${deploy}`)];
      }),
    );
    return orFine(findings.flat(), `all ${names.length} are enabled`);
  },
};

/** Lambda's quota: can as many functions run as the queues start? */
export const lambdaQuota: Check<CheckedAccount> = {
  name: 'Lambda quota',
  looksAt: () => 'functions at the same time',
  look: async ({ stage, client }) => {
    const settings = await client(LambdaClient).send(new GetAccountSettingsCommand({}));
    const { AccountLimit: limit = {} } = settings;
    const quota = limit.UnreservedConcurrentExecutions ?? limit.ConcurrentExecutions ?? 0;
    const { reports, backfills, alerts } = stage.concurrency;
    const found = `the quota is ${quota}; ${reports} reports, ${backfills} backfills and ${alerts} batches of alert checks may run at the same time`;
    // The other functions need some, too.
    if (quota > reports + backfills + alerts) return [fine(found)];
    const increase = stage.lines.aws(...quotaIncrease('lambda', 'L-B99A9384', '1000'));
    return [wrong(`${found}: calls are throttled`, increase)];
  },
};

export const queues: Check = {
  name: 'Queues',
  looksAt: () => `${QUEUE_NAMES.join(', ')} and their dead-letter queues`,
  look: async ({ stage }) => {
    const looked = new StageQueues(stage);
    const findings = await Promise.all(
      QUEUE_NAMES.map(async (name): Promise<Finding[]> => {
        const counts = await looked.counts([name]).catch(when(QueueDoesNotExist, () => null));
        if (counts === null)
          return [
            wrong(`the queue ${name} or its dead-letter queue does not exist`, deployAnew(stage.lines)),
          ];
        const [{ putAside: count } = { putAside: 0 }] = counts;
        if (count === 0) return [];
        const was = count === 1 ? '1 message was' : `${count} messages were`;
        return [warning(`${was} put aside from the queue ${name}`, stage.lines.daybook('redrive', name))];
      }),
    );
    return orFine(findings.flat(), `all ${QUEUE_NAMES.length} are there, and nothing was put aside`);
  },
};
