import { Validations } from 'aws-cdk-lib';
import type { IPolicyValidationContext, PolicyValidationPluginReport } from 'aws-cdk-lib';
import { AwsSolutionsChecks } from 'cdk-nag';
import type { IConstruct } from 'constructs';

/** A reference to another stack: as it is written, or the name of the export that it imports. It is not known before synthesis. */
const REFERENCE = /\{"Fn::GetStackOutput":\{[^}]*\}\}|[\w-]+:ExportsOutput\w+/g;

/** Rights on all names with some beginning that nobody can write out. */
const STARS: readonly RegExp[] = [
  // Under a folder of the data bucket: the rest names days, merchants, pulls, checks and hashes of addresses, or files of Iceberg.
  /^<elsewhere>\/(?:alerts|changes|checked|config\/refunds|days|forgotten|history|invoices|lake|links|mail|mail-stops|plan|proofs|refunds|statements)\/.*\*$/,
  // Athena names answers after the execution of the query.
  /^<Results\w+[.]Arn>\/(?:people|history|groups\/[a-z0-9_]+)\/\*$/,
  // A group's copy has tables of its own. The console lists databases, and the tables of one: their data is in the objects.
  /:glue:\S+:(?:database\/\*|table\/\w+\/\*)$/,
  // Which secrets merchants have is said by the registry, under this prefix only.
  /:secretsmanager:\S+:secret:.+\*$/,
  // CloudFormation chooses the rest.
  /:cloudformation:\S+:stack\/[\w-]+\/\*$/,
  /:scheduler:\S+:schedule\/[\w-]+\/\*$/,
];

/** The rules of cdk-nag for AWS Solutions. */
export class SolutionsChecks extends AwsSolutionsChecks {
  override validate(context: IPolicyValidationContext): PolicyValidationPluginReport {
    const violations = super.validate(context).violations.filter(({ ruleName }) => {
      const named = ruleName.replaceAll(REFERENCE, '<elsewhere>');
      const [, resource = ''] = /^AwsSolutions-IAM5\[Resource::(.+)\]$/.exec(named) ?? [];
      return !STARS.some((star) => star.test(resource));
    });
    return { success: violations.length === 0, violations };
  }
}

/** Accepts a finding, with the reason. @param finding such as `AwsSolutions-S1` */
export function acknowledge(construct: IConstruct, finding: string, reason: string): void {
  Validations.of(construct).acknowledge({ id: `AwsSolutions::${finding}`, reason });
}

/** Accepts rights on everything, with the reason. */
export function acknowledgeStar(construct: IConstruct, reason: string): void {
  acknowledge(construct, 'AwsSolutions-IAM5[Resource::*]', reason);
}
