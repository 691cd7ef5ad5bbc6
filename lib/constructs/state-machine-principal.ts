import { ArnFormat } from 'aws-cdk-lib';
import type { Stack } from 'aws-cdk-lib';
import * as iam from 'aws-cdk-lib/aws-iam';

/**
 * Step Functions, but only for the state machine of this name in this account. Its Map Runs, versions and aliases have the name with something
 * behind it.
 */
export function stateMachinePrincipal(stack: Stack, stateMachineName: string): iam.ServicePrincipal {
  const arn = stack.formatArn({
    service: 'states',
    resource: 'stateMachine',
    resourceName: `${stateMachineName}*`,
    arnFormat: ArnFormat.COLON_RESOURCE_NAME,
  });
  return new iam.ServicePrincipal('states.amazonaws.com', {
    conditions: { StringEquals: { 'aws:SourceAccount': stack.account }, ArnLike: { 'aws:SourceArn': arn } },
  });
}
