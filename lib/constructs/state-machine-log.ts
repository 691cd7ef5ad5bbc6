import { RemovalPolicy } from 'aws-cdk-lib';
import * as logs from 'aws-cdk-lib/aws-logs';
import * as sfn from 'aws-cdk-lib/aws-stepfunctions';
import type { Construct } from 'constructs';

/** The log of a state machine: failures only, without data. */
export function stateMachineLog(
  scope: Construct,
  stateMachineName: string,
  retention: logs.RetentionDays,
): sfn.LogOptions {
  return {
    destination: new logs.LogGroup(scope, 'Log', {
      // The policy of log delivery has a limited size. With this prefix it does not grow with every log group.
      logGroupName: `/aws/vendedlogs/states/${stateMachineName}`,
      retention,
      removalPolicy: RemovalPolicy.DESTROY,
    }),
    level: sfn.LogLevel.ERROR,
    includeExecutionData: false,
  };
}
