import type { RemovalPolicy } from 'aws-cdk-lib';
import * as logs from 'aws-cdk-lib/aws-logs';
import * as sfn from 'aws-cdk-lib/aws-stepfunctions';
import type { Construct } from 'constructs';

/** How long lines are kept, and what happens to the log when its stack is deleted. */
export interface LogProps {
  retention: logs.RetentionDays;
  removalPolicy: RemovalPolicy;
}

/** The log of a state machine: failures only, without data. */
export function stateMachineLog(scope: Construct, stateMachineName: string, log: LogProps): sfn.LogOptions {
  return {
    destination: new logs.LogGroup(scope, 'Log', {
      // The policy of log delivery has a limited size. With this prefix it does not grow with every log group.
      logGroupName: `/aws/vendedlogs/states/${stateMachineName}`,
      ...log,
    }),
    level: sfn.LogLevel.ERROR,
    includeExecutionData: false,
  };
}
