import { Tags, Validations } from 'aws-cdk-lib';
import type { App, StackProps } from 'aws-cdk-lib';
import { SolutionsChecks } from './checks.ts';
import { DataStack } from './data-stack.ts';
import { FunctionsStack } from './functions-stack.ts';
import { MailStack } from './mail-stack.ts';
import type { Settings } from './settings.ts';

/** The stacks of one stage. */
export function createDaybook(app: App, settings: Settings) {
  const { stage, account, region, removal } = settings;
  const props: StackProps = {
    env: { ...(account === undefined ? {} : { account }), region },
    terminationProtection: removal === 'retain',
  };
  const named = (name: string) => `Daybook-${stage}-${name}`;

  const data = new DataStack(app, named('Data'), { ...props, settings });
  const { key, bucket } = data;
  const mail = new MailStack(app, named('Mail'), { ...props, settings, key });
  const { identity, configurationSet, topic } = mail;
  const functions = new FunctionsStack(app, named('Functions'), {
    ...props,
    settings,
    key,
    bucket,
    identity,
    configurationSet,
    topic,
  });

  Tags.of(app).add('application', 'daybook');
  Tags.of(app).add('stage', stage);
  Validations.of(app).addPlugins(new SolutionsChecks(app));
  return { data, mail, functions };
}
