import { Token, Validations } from 'aws-cdk-lib';
import type { IPolicyValidationContext, PolicyValidationPluginReport, Stack } from 'aws-cdk-lib';
import { AwsSolutionsChecks } from 'cdk-nag';
import type { IConstruct } from 'constructs';

/** The name of a resource of another stack in a finding. */
export const ELSEWHERE = '<elsewhere>';

/** A reference to another stack: as it is written, or the name of the export that it imports. */
const REFERENCE = /\{"Fn::GetStackOutput":\{[^}]*\}\}|[\w-]+:ExportsOutput\w+/g;

/**
 * The rules of cdk-nag for AWS Solutions. A right on an object of another stack's bucket is a finding of its own there.
 * Its name contains the whole reference, which is not known before synthesis. Here `<elsewhere>` replaces it.
 */
export class SolutionsChecks extends AwsSolutionsChecks {
  override validate(context: IPolicyValidationContext): PolicyValidationPluginReport {
    const report = super.validate(context);
    const violations = report.violations.map((violation) => ({
      ...violation,
      ruleName: violation.ruleName.replaceAll(REFERENCE, ELSEWHERE),
    }));
    return { ...report, violations };
  }
}

/** Accepts a finding, with the reason. @param finding such as `AwsSolutions-S1` */
export function acknowledge(construct: IConstruct, finding: string, reason: string): void {
  Validations.of(construct).acknowledge({ id: `AwsSolutions::${finding}`, reason });
}

/** Accepts a right on all names with this beginning, with the reason. @param resource its name in the finding */
export function acknowledgeStar(construct: IConstruct, resource: string, reason: string): void {
  acknowledge(construct, `AwsSolutions-IAM5[Resource::${resource}]`, reason);
}

/** The parts of a stack's ARNs as a finding names them: the value if it is known before the deploy, else such as `<AWS::Region>`. */
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
