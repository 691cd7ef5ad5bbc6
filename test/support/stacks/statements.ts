import type { Template } from 'aws-cdk-lib/assertions';
import * as z from 'zod';
import { managedPolicy, referenceSchema } from './iam-evaluator.ts';

const policySchema = z.object({
  PolicyDocument: z.object({
    Statement: z.array(
      z.object({
        Effect: z.string(),
        Action: z.union([z.string(), z.array(z.string())]),
        Resource: z.unknown(),
        Condition: z.unknown().optional(),
      }),
    ),
  }),
});

function plain(value: unknown): string {
  if (typeof value === 'string') return value;
  const reference = referenceSchema.parse(value);
  if ('Fn::Join' in reference) {
    const [separator, parts] = reference['Fn::Join'];
    return parts.map(plain).join(separator);
  }
  if ('Fn::GetAtt' in reference) return `<${reference['Fn::GetAtt'].join('.').replace(/[0-9A-F]{8}/, '')}>`;
  if ('Ref' in reference) return `<${reference.Ref}>`;
  const output =
    'Fn::ImportValue' in reference
      ? reference['Fn::ImportValue']
      : reference['Fn::GetStackOutput'].OutputName;
  const name = output.replace(/^(.*:Exports|Publish)Output(Ref|FnGetAtt)/, '');
  return `<${name.replaceAll(/[0-9A-F]{8}/g, '')}>`;
}

function list(value: unknown): unknown[] {
  return Array.isArray(value) ? value : [value];
}

/** What a function may do, a line for each pair of actions and resource: `s3:GetObject: data/days/*`. */
export function statementsOf(functions: Template, name: string): string[] {
  const id = name.replaceAll('-', '');
  const policies = Object.entries(functions.findResources('AWS::IAM::Policy')).filter(([logicalId]) =>
    logicalId.startsWith(`${id}Role`),
  );

  const [[, policy]] = z
    .tuple([z.tuple([z.string(), z.object({ Properties: policySchema })])])
    .parse(policies);
  return linesOf(policy.Properties);
}

/** What a managed policy allows, in the same lines. @param name its construct, such as `Operators` */
export function managedStatementsOf(stack: Template, name: string): string[] {
  return linesOf(policySchema.parse({ PolicyDocument: managedPolicy(stack, name) }));
}

function linesOf({ PolicyDocument }: z.infer<typeof policySchema>): string[] {
  return PolicyDocument.Statement.flatMap((statement) => {
    expect(statement.Effect).toBe('Allow');
    const condition = statement.Condition === undefined ? '' : ` if ${JSON.stringify(statement.Condition)}`;
    return list(statement.Resource).map((resource) => {
      const actions = list(statement.Action).join(', ');
      return `${actions}: ${plain(resource).replace('<BucketArn>', 'data')}${condition}`;
    });
  }).toSorted();
}
