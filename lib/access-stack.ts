import { Stack } from 'aws-cdk-lib';
import type { StackProps } from 'aws-cdk-lib';
import type { Construct } from 'constructs';
import { rightsOfPolicy } from './command-rights.ts';
import { CommandPolicy } from './constructs/command-policy.ts';
import { CommandResources } from './constructs/command-resources.ts';
import type { CommandResourcesProps } from './constructs/command-resources.ts';
import { StackOutputs } from './constructs/stack-outputs.ts';

export interface AccessStackProps extends StackProps, CommandResourcesProps {}

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
