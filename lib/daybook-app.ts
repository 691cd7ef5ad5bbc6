import { resolve } from 'node:path';
import { Tags, Validations } from 'aws-cdk-lib';
import type { App, StackProps } from 'aws-cdk-lib';
import { AccessStack } from './access-stack.ts';
import { SolutionsChecks } from './checks.ts';
import { ConsoleStack } from './console-stack.ts';
import { DataStack } from './data-stack.ts';
import { EventsStack } from './events-stack.ts';
import { FunctionsStack } from './functions-stack.ts';
import { LakeStack } from './lake-stack.ts';
import { MailStack } from './mail-stack.ts';
import { MonitoringStack } from './monitoring-stack.ts';
import { SchedulesStack } from './schedules-stack.ts';
import type { Settings } from './settings.ts';

/** The folder that `npm run build` writes. */
const BUILT = resolve(import.meta.dirname, '../dist/functions');

/** The stacks of one stage. `built`: the folder of the built functions, with a folder for each. */
export function createDaybook(app: App, settings: Settings, built = BUILT): void {
  const { stage, account, region, removal } = settings;
  const props: StackProps = {
    env: { ...(account === undefined ? {} : { account }), region },
    terminationProtection: removal === 'retain',
  };
  const named = (name: string) => `Daybook-${stage}-${name}`;

  const { key, bucket, accessLogs } = new DataStack(app, named('Data'), { ...props, settings });
  const mail = new MailStack(app, named('Mail'), { ...props, settings, key });
  const { identity, configurationSet, topic } = mail;
  const alarms = { topic, runbook: settings.ops.runbook, stage };
  const functions = new FunctionsStack(app, named('Functions'), {
    ...props,
    settings,
    built,
    key,
    bucket,
    identity,
    configurationSet,
    alarms,
  });

  const { deadLetters } = functions;
  new SchedulesStack(app, named('Schedules'), {
    ...props,
    settings,
    functions: { ...functions.functions, ...functions.optional },
    deadLetters,
  });
  new AccessStack(app, named('Access'), { ...props, settings, bucket, key, topic });
  new LakeStack(app, named('Lake'), {
    ...props,
    settings,
    dataBucket: bucket,
    dataKey: key,
    accessLogs,
    deadLetters,
    keeper: functions.functions.lake,
  });
  new MonitoringStack(app, named('Monitoring'), {
    ...props,
    settings,
    destination: alarms,
    functions: functions.functions,
    deadLetters,
    configurationSet,
    queues: functions.queues,
  });
  const { webhooks = [] } = settings.events ?? {};
  if (webhooks.length > 0) new EventsStack(app, named('Events'), { ...props, webhooks, destination: alarms });
  const { testEvents } = settings.console;
  if (testEvents !== 'none') {
    new ConsoleStack(app, named('Console'), {
      ...props,
      functions: [...Object.values(functions.functions), ...Object.values(functions.optional)],
      createRegistry: testEvents === 'create-registry',
    });
  }

  Tags.of(app).add('application', 'daybook');
  Tags.of(app).add('stage', stage);
  Validations.of(app).addPlugins(new SolutionsChecks(app));
}
