import { describe, expect, it } from 'vitest';
import { FUNCTIONS } from '../../lib/functions.ts';
import { synthesise } from './synthesised.ts';

interface Statement {
  Sid?: string;
  Effect: string;
  Action: string | string[];
  Resource: unknown;
  Condition?: unknown;
}

const { templates } = synthesise('prod');
const functions = templates['Functions']!;

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

function statementsOf(name: string): string[] {
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

describe('what each function may do', () => {
  it.each(Object.keys(FUNCTIONS))('%s, every statement', async (name) => {
    await expect(`${statementsOf(name).join('\n')}\n`).toMatchFileSnapshot(`rights/${name}.txt`);
  });

  it.each(Object.keys(FUNCTIONS))('%s has nothing on everything, and no managed policy', (name) => {
    for (const statement of statementsOf(name)) expect(statement).not.toMatch(/: \*|\*:|data\/\*/);
    const roles = functions.findResources('AWS::IAM::Role', {
      Properties: { Description: `daybook-prod-${name}: what this function may do` },
    }) as Record<string, { Properties: Record<string, unknown> }>;
    expect(Object.values(roles)).toHaveLength(1);
    for (const { Properties } of Object.values(roles)) {
      expect(Properties).not.toHaveProperty('ManagedPolicyArns');
      expect(Properties).not.toHaveProperty('Policies');
    }
  });
});
