import { Stack, type StackProps } from 'aws-cdk-lib';
import * as iam from 'aws-cdk-lib/aws-iam';
import type * as kms from 'aws-cdk-lib/aws-kms';
import type * as s3 from 'aws-cdk-lib/aws-s3';
import type * as sns from 'aws-cdk-lib/aws-sns';
import { Construct } from 'constructs';
import { acknowledgeStar } from './checks.ts';
import { rightsOfPolicy } from './command-rights.ts';
import type { CommandResource, CommandRight, PolicyName } from './command-rights.ts';
import { secretArns } from './constructs/rights.ts';
import { StackOutputs } from './constructs/stack-outputs.ts';
import { LINKED_FILES, LIVE, QUEUE_NAMES, SETTING_OF } from './functions.ts';
import type { Settings } from './settings.ts';

interface CalledResources {
  settings: Settings;
  bucket: s3.IBucket;
  key: kms.IKey;
  topic: sns.ITopic;
}

const STACKS = ['Data', 'Mail', 'Functions', 'Schedules'];

function arnsOf(
  stack: Stack,
  { settings, bucket, key, topic }: CalledResources,
  resource: CommandResource,
): string[] {
  const { stage, mail, credentials } = settings;
  /** Resources whose names the stacks choose themselves: they need no reference. */
  const named = (service: string, ...paths: readonly string[]) =>
    paths.map((path) => `arn:${stack.partition}:${service}:${stack.region}:${stack.account}:${path}`);
  const stacks = (names: readonly string[]) =>
    named('cloudformation', ...names.map((name) => `stack/Daybook-${stage}-${name}/*`));
  const called = (name: string) => named('lambda', `function:daybook-${stage}-${name}:${LIVE}`);
  switch (resource) {
    case 'account':
      return ['*'];
    case 'data':
      return [bucket.bucketArn];
    case 'key':
      return [key.keyArn];
    case 'topic':
      return [topic.topicArn];
    case 'secrets':
      return secretArns(stack, credentials);
    case 'secrets key':
      return credentials.keyArn === undefined ? [] : [credentials.keyArn];
    case 'stacks':
      return stacks(STACKS);
    case 'lake stack':
      return stacks(['Lake']);
    case 'queues':
      return named('sqs', ...QUEUE_NAMES.map((name) => `daybook-${stage}-${name}`));
    case 'dead letters':
      return named('sqs', ...QUEUE_NAMES.map((name) => `daybook-${stage}-${name}-dead`));
    case 'identity':
      return named('ses', `identity/${mail.domain}`);
    case 'configuration set':
      return named('ses', `configuration-set/daybook-${stage}`);
    case 'schedules':
      return named('scheduler', `schedule/daybook-${stage}/*`);
    case 'optional functions':
      return Object.entries(SETTING_OF).flatMap(([name, setting]) => (settings[setting] ? called(name) : []));
    default: {
      const [kind = '', ...rest] = resource.split('/');
      const path = rest.join('/');
      return kind === 'function' ? called(path) : [bucket.arnForObjects(path)];
    }
  }
}

/** The resources that have the same actions are one statement: a managed policy has room for 6,144 characters. */
function grouped(rights: readonly CommandRight[]) {
  const byResource = Map.groupBy(rights, ({ on }) => on);
  const entries = [...byResource].map(([on, all]) => ({
    on,
    actions: all.map(({ action }) => action).toSorted(),
  }));
  return [...Map.groupBy(entries, ({ actions }) => actions.join('\n')).values()].map((same) => ({
    actions: same[0]?.actions ?? [],
    on: same.map(({ on }) => on),
  }));
}

/** What people may do with the command `daybook`: managed policies to attach to roles or groups. */
export class AccessStack extends Stack {
  constructor(
    scope: Construct,
    id: string,
    { settings, bucket, key, topic, ...props }: StackProps & CalledResources,
  ) {
    super(scope, id, props);
    const called = { settings, bucket, key, topic };
    /** These calls, each on these resources only. */
    const policy = (name: PolicyName, allows: string) => {
      const rights = rightsOfPolicy(name).filter(({ on }) => settings.links || on !== `data/${LINKED_FILES}`);
      const created = new iam.ManagedPolicy(new Construct(this, name), 'Policy', {
        description: `${allows} in the stage ${settings.stage}`,
        statements: grouped(rights).flatMap(({ actions, on }) => {
          const resources = on.flatMap((resource) => arnsOf(this, called, resource));
          return resources.length === 0 ? [] : [new iam.PolicyStatement({ actions, resources })];
        }),
      });
      acknowledgeStar(
        created,
        'AWS has no smaller resource for these calls. They read quotas, states of alarms, settings of Lake Formation and the suppression list of SES; one takes an address off that list.',
      );
      return created.managedPolicyArn;
    };
    new StackOutputs(this, {
      OperatorsPolicy: {
        // IAM changes no description: with another one, this would be a new policy, attached to nobody.
        value: policy('Operators', 'Every command of daybook'),
        description: 'The policy that allows every command of daybook that deletes nothing for ever',
      },
      ReadOnlyPolicy: {
        value: policy('ReadOnly', 'The commands of daybook that only look,'),
        description: 'The policy that allows the commands of daybook that only look',
      },
      ForgetPolicy: {
        value: policy('Forget', 'The commands of daybook that forget merchants and customers'),
        description: 'The policy that allows the commands of daybook that forget merchants and customers',
      },
      ...(settings.proofs && {
        VerifyPolicy: {
          value: policy('Verify', 'The command of daybook that proves pages'),
          description: 'The policy that allows the command of daybook that proves pages with their rows',
        },
      }),
    });
  }
}
