import { Token, Validations } from 'aws-cdk-lib';
import type { IPolicyValidationContext, PolicyValidationPluginReport, Stack } from 'aws-cdk-lib';
import { AwsSolutionsChecks } from 'cdk-nag';
import type { IConstruct } from 'constructs';

/** How a finding names a resource of another stack. */
export const ELSEWHERE = '<elsewhere>';

const STACK_OUTPUT = /\{"Fn::GetStackOutput":\{[^}]*\}\}/g;

/**
 * The rules of cdk-nag for AWS Solutions. A right on an object of another stack's bucket is a finding of its own there,
 * named with the whole reference, which is not known before the stacks are put together; here it is `<elsewhere>`.
 */
export class SolutionsChecks extends AwsSolutionsChecks {
  override validate(context: IPolicyValidationContext): PolicyValidationPluginReport {
    const report = super.validate(context);
    const violations = report.violations.map((violation) => ({
      ...violation,
      ruleName: violation.ruleName.replaceAll(STACK_OUTPUT, ELSEWHERE),
    }));
    return { ...report, violations };
  }
}

/** A finding that is meant to be so, with the reason. @param finding such as `AwsSolutions-S1` */
export function acknowledge(construct: IConstruct, finding: string, reason: string): void {
  Validations.of(construct).acknowledge({ id: `AwsSolutions::${finding}`, reason });
}

/** A right on everything whose name begins so, with the reason. @param resource as the finding names it */
export function acknowledgeStar(construct: IConstruct, resource: string, reason: string): void {
  acknowledge(construct, `AwsSolutions-IAM5[Resource::${resource}]`, reason);
}

/** The parts of a stack's ARNs as a finding names them: what is known before the deploy, or such as `<AWS::Region>`. */
export function placeOf({ partition, region, account }: Stack): {
  partition: string;
  region: string;
  account: string;
} {
  const known = (value: string, name: string) => (Token.isUnresolved(value) ? `<AWS::${name}>` : value);
  return {
    partition: known(partition, 'Partition'),
    region: known(region, 'Region'),
    account: known(account, 'AccountId'),
  };
}
