import { CfnOutput } from 'aws-cdk-lib';
import type { Stack } from 'aws-cdk-lib';
import { Construct } from 'constructs';

/** A value that people and the command `daybook` read from a deployed stack. */
export interface StackOutput {
  /** `undefined`: the stack has no such output. CloudFormation refuses an empty one. */
  value: string | undefined;
  description: string;
}

/** The outputs of a stack under exactly these names. They have a scope of their own, so a resource may have the same name. */
export class StackOutputs extends Construct {
  constructor(stack: Stack, outputs: Record<string, StackOutput>) {
    super(stack, 'Outputs');
    for (const [name, { value, description }] of Object.entries(outputs)) {
      if (value === undefined) continue;
      new CfnOutput(this, name, { value, description }).overrideLogicalId(name);
    }
  }
}
