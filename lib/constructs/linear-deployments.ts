import * as codedeploy from 'aws-cdk-lib/aws-codedeploy';
import { Construct } from 'constructs';
import { acknowledge } from '../checks.ts';
import type { DaybookFunction } from './daybook-function.ts';
import { DeployAlarm } from './deploy-alarm.ts';
import type { DeployAlarmProps } from './deploy-alarm.ts';

/** After each interval (minutes), the new version of a state machine gets this percentage more of the executions. */
export const LINEAR_STEP = { percentage: 10, interval: 10 };

export interface LinearDeploymentsProps {
  functions: readonly DaybookFunction[];
  destination: DeployAlarmProps['destination'];
}

/** Moves the calls of functions step by step to their new versions, and back when one fails. */
export class LinearDeployments extends Construct {
  constructor(scope: Construct, id: string, { functions, destination }: LinearDeploymentsProps) {
    super(scope, id);
    const application = new codedeploy.LambdaApplication(this, 'Application');
    for (const { name, live } of functions) {
      const failing = new DeployAlarm(this, `${name} failing`, {
        destination,
        name,
        failures: live.metricErrors(),
      });
      const group = new codedeploy.LambdaDeploymentGroup(this, name, {
        application,
        alias: live,
        // The same steps as LINEAR_STEP.
        deploymentConfig: codedeploy.LambdaDeploymentConfig.LINEAR_10PERCENT_EVERY_10MINUTES,
        alarms: [failing.alarm],
      });
      acknowledge(
        group.role,
        'AwsSolutions-IAM4[Policy::arn:<AWS::Partition>:iam::aws:policy/service-role/AWSCodeDeployRoleForLambdaLimited]',
        'The policy that AWS keeps for this one purpose: to move an alias.',
      );
    }
  }
}
