import type { Template } from 'aws-cdk-lib/assertions';
import { expect } from 'vitest';

interface Statement {
  Sid?: string;
  Effect: string;
  Action: string | string[];
  Resource: unknown;
  Condition?: unknown;
}

/** A reference as a person would write it. */
function plain(value: unknown): string {
  if (typeof value === 'string') return value;
  const [[kind, inner]] = Object.entries(value as Record<string, unknown>) as [[string, never]];
  switch (kind) {
    case 'Fn::Join':
      return (inner as [string, unknown[]])[1].map(plain).join((inner as [string, unknown[]])[0]);
    case 'Fn::GetAtt':
      return `<${(inner as string[]).join('.').replace(/[0-9A-F]{8}/, '')}>`;
    case 'Ref':
      return `<${inner as string}>`;
    case 'Fn::GetStackOutput': {
      const { OutputName } = inner as { OutputName: string };
      return `<${OutputName.replace(/^PublishOutput(Ref|FnGetAtt)/, '').replaceAll(/[0-9A-F]{8}/g, '')}>`;
    }
    default:
      throw new Error(`not known here: ${kind}`);
  }
}

function list(value: unknown): unknown[] {
  return Array.isArray(value) ? value : [value];
}

/** What a function may do, a line for each pair of actions and resource: `s3:GetObject: data/days/*`. */
export function statementsOf(functions: Template, name: string): string[] {
  const id = name.replaceAll('-', '');
  const policies = Object.entries(
    functions.findResources('AWS::IAM::Policy') as Record<
      string,
      { Properties: { PolicyDocument: { Statement: Statement[] } } }
    >,
  ).filter(([logicalId]) => logicalId.startsWith(`${id}Role`));
  expect(policies).toHaveLength(1);
  return policies[0]![1].Properties.PolicyDocument.Statement.flatMap((statement) => {
    expect(statement.Effect).toBe('Allow');
    const condition = statement.Condition === undefined ? '' : ` if ${JSON.stringify(statement.Condition)}`;
    return list(statement.Resource).map((resource) => {
      const actions = list(statement.Action).join(', ');
      return `${actions}: ${plain(resource).replace('<BucketArn>', 'data')}${condition}`;
    });
  }).toSorted();
}
