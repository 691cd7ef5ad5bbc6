import { Stack } from 'aws-cdk-lib';
import type { StackProps } from 'aws-cdk-lib';
import type * as kms from 'aws-cdk-lib/aws-kms';
import type * as s3 from 'aws-cdk-lib/aws-s3';
import type * as sns from 'aws-cdk-lib/aws-sns';
import * as iam from 'aws-cdk-lib/aws-iam';
import { Construct } from 'constructs';
import { ELSEWHERE, placeOf, acknowledgeStar } from './checks.ts';
import { rightsOfPolicy } from './command-rights.ts';
import type { CommandResource, CommandRight } from './command-rights.ts';
import { LIVE } from './functions.ts';
import type { Settings } from './settings.ts';
import { secretArns } from './constructs/rights.ts';
import { StackOutputs } from './constructs/stack-outputs.ts';

interface CommandResourcesProps {
  settings: Settings;
  bucket: s3.IBucket;
  key: kms.IKey;
  topic: sns.ITopic;
}

/** A star in a policy, as a finding names it, and why it is there. */
interface Star {
  resource: string;
  reason: string;
}

/** A resource whose name the stacks choose themselves: it needs no reference. */
interface Named {
  service: string;
  /** The end of its ARN, such as `function:daybook-prod-plan`. */
  path: string;
  /** Why there is a star in it. */
  reason?: string;
}

const STACKS = ['Data', 'Mail', 'Functions', 'Schedules'];

function describedStack(stage: string, stack: string): Named {
  return {
    service: 'cloudformation',
    path: `stack/Daybook-${stage}-${stack}/*`,
    reason: 'CloudFormation chooses the rest of the ARN when it makes the stack.',
  };
}

/** The ARNs of a stage's resources that commands call. */
class CommandResources {
  readonly #stack: Stack;
  readonly #props: CommandResourcesProps;

  constructor(stack: Stack, props: CommandResourcesProps) {
    this.#stack = stack;
    this.#props = props;
  }

  /** The ARNs of a resource, or `*`. */
  arns(resource: CommandResource): string[] {
    const { settings, bucket, key, topic } = this.#props;
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
        return secretArns(this.#stack, settings.credentials);
      case 'secrets key':
        return settings.credentials.keyArn === undefined ? [] : [settings.credentials.keyArn];
      default: {
        const pattern = patternOf(resource);
        if (pattern !== undefined) return [bucket.arnForObjects(pattern)];
        return this.#named(resource).map(({ service, path }) => {
          const { partition, region, account } = this.#stack;
          return `arn:${partition}:${service}:${region}:${account}:${path}`;
        });
      }
    }
  }

  /** The stars in the ARNs of these resources, each once. */
  stars(resources: readonly CommandResource[]): Star[] {
    return [...new Set(resources)].flatMap((resource) => this.#starsOf(resource));
  }

  #starsOf(resource: CommandResource): Star[] {
    const { partition, region, account } = placeOf(this.#stack);
    const arn = (service: string, path: string) => `arn:${partition}:${service}:${region}:${account}:${path}`;
    const pattern = patternOf(resource);
    if (pattern !== undefined) {
      const reason = 'The rest of these keys names days, merchants, checks, notices and hashes of addresses.';
      return pattern.endsWith('*') ? [{ resource: `${ELSEWHERE}/${pattern}`, reason }] : [];
    }
    if (resource === 'account') {
      const reason =
        'AWS has no smaller resource for these calls. They read quotas, metrics, states of alarms, settings of Lake Formation and the suppression list of SES; one takes an address off that list.';
      return [{ resource: '*', reason }];
    }
    if (resource === 'secrets') {
      const { prefix } = this.#props.settings.credentials;
      const reason = 'Which secrets merchants have is said by the registry, under this prefix only.';
      return prefix === undefined ? [] : [{ resource: arn('secretsmanager', `secret:${prefix}*`), reason }];
    }
    return this.#named(resource).flatMap(({ service, path, reason }) =>
      reason === undefined ? [] : [{ resource: arn(service, path), reason }],
    );
  }

  #named(resource: CommandResource): Named[] {
    const { stage, mail } = this.#props.settings;
    const machines = [`daybook-${stage}-reports`, `daybook-${stage}-alerts`];
    const executions = 'Executions are named as they are started.';
    switch (resource) {
      case 'stacks':
        return STACKS.map((stack) => describedStack(stage, stack));
      case 'lake stack':
        return [describedStack(stage, 'Lake')];
      case 'state machines':
        return machines.map((name) => ({ service: 'states', path: `stateMachine:${name}` }));
      case 'executions':
        return machines.map((name) => ({
          service: 'states',
          path: `execution:${name}:*`,
          reason: executions,
        }));
      case 'map runs':
        return machines.map((name) => ({ service: 'states', path: `mapRun:${name}/*`, reason: executions }));
      case 'identity':
        return [{ service: 'ses', path: `identity/${mail.domain}` }];
      case 'configuration set':
        return [{ service: 'ses', path: `configuration-set/daybook-${stage}` }];
      case 'schedules':
        return [
          {
            service: 'scheduler',
            path: `schedule/daybook-${stage}/*`,
            reason: 'CloudFormation names the schedules of this group. All of them belong to the stage.',
          },
        ];
      default:
        return resource.startsWith('function/')
          ? [
              {
                service: 'lambda',
                path: `function:daybook-${stage}-${resource.slice('function/'.length)}:${LIVE}`,
              },
            ]
          : [];
    }
  }
}

/** The keys of `data/…`, `undefined` for every other resource. */
function patternOf(resource: CommandResource): string | undefined {
  return resource.startsWith('data/') ? resource.slice('data/'.length) : undefined;
}

interface CommandPolicyProps {
  description: string;
  rights: readonly CommandRight[];
  resources: CommandResources;
}

/** A managed policy for people: these calls, each on these resources only. */
class CommandPolicy extends Construct {
  readonly policy: iam.ManagedPolicy;

  constructor(scope: Construct, id: string, { description, rights, resources }: CommandPolicyProps) {
    super(scope, id);
    this.policy = new iam.ManagedPolicy(this, 'Policy', {
      description,
      statements: grouped(rights).flatMap(({ actions, on }) => {
        const arns = on.flatMap((resource) => resources.arns(resource));
        return arns.length === 0 ? [] : [new iam.PolicyStatement({ actions, resources: arns })];
      }),
    });
    for (const { resource, reason } of resources.stars(rights.map(({ on }) => on))) {
      acknowledgeStar(this.policy, resource, reason);
    }
  }
}

/** The actions that have the same resources are one statement: a managed policy has room for 6,144 characters. */
function grouped(rights: readonly CommandRight[]) {
  const byAction = Map.groupBy(rights, ({ action }) => action);
  const entries = [...byAction].map(([action, all]) => ({ action, on: all.map(({ on }) => on).toSorted() }));
  return [...Map.groupBy(entries, ({ on }) => on.join('\n')).values()].map((same) => ({
    actions: same.map(({ action }) => action),
    on: same[0]?.on ?? [],
  }));
}

interface AccessStackProps extends StackProps, CommandResourcesProps {}

/** What people may do with the command `daybook`: two managed policies to attach to roles or groups. */
export class AccessStack extends Stack {
  constructor(scope: Construct, id: string, { settings, bucket, key, topic, ...props }: AccessStackProps) {
    super(scope, id, props);
    const resources = new CommandResources(this, { settings, bucket, key, topic });
    const operators = new CommandPolicy(this, 'Operators', {
      description: `Every command of daybook in the stage ${settings.stage}`,
      rights: rightsOfPolicy('Operators'),
      resources,
    });
    const readOnly = new CommandPolicy(this, 'ReadOnly', {
      description: `The commands of daybook that only look, in the stage ${settings.stage}`,
      rights: rightsOfPolicy('ReadOnly'),
      resources,
    });
    new StackOutputs(this, {
      OperatorsPolicy: {
        value: operators.policy.managedPolicyArn,
        description: 'The policy that allows every command of daybook',
      },
      ReadOnlyPolicy: {
        value: readOnly.policy.managedPolicyArn,
        description: 'The policy that allows the commands of daybook that only look',
      },
    });
  }
}
