import * as iam from 'aws-cdk-lib/aws-iam';
import { Construct } from 'constructs';
import { acknowledgeStar } from '../checks.ts';
import type { CommandRight } from '../command-rights.ts';
import type { CommandResources } from './command-resources.ts';

export interface CommandPolicyProps {
  description: string;
  rights: readonly CommandRight[];
  resources: CommandResources;
}

/** A managed policy for people: these calls, each on these resources only. */
export class CommandPolicy extends Construct {
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
