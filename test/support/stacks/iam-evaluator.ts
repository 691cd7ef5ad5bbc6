import type { Template } from 'aws-cdk-lib/assertions';
import * as z from 'zod';
import { defined } from '#support/assertions/index.ts';

/*
 * Decides what a managed policy allows, as IAM does for a principal that has this policy and nothing else: the form of policies
 * that the stacks write, and no more. Anything else throws, so that a new form cannot be judged wrongly.
 */

const oneOrMore = z.union([z.string(), z.array(z.string())]).transform((value) => [value].flat());

const CONDITIONS = ['StringEquals', 'StringLike'] as const;

const statementSchema = z.strictObject({
  Sid: z.string().optional(),
  Effect: z.enum(['Allow', 'Deny']),
  Action: oneOrMore,
  Resource: oneOrMore,
  Condition: z.partialRecord(z.enum(CONDITIONS), z.record(z.string(), oneOrMore)).default({}),
});
const documentSchema = z.strictObject({
  Version: z.literal('2012-10-17'),
  Statement: z.array(statementSchema),
});

type Statement = z.infer<typeof statementSchema>;

export interface IamRequest {
  /** Such as `s3:GetObject`. */
  action: string;
  /** The ARN. */
  resource: string;
  /** Condition keys with their values, such as `s3:prefix`. */
  context?: Record<string, string>;
}

/** Names in ARNs that CloudFormation fills in at the deploy. */
export interface DeployedNames {
  account: string;
  region: string;
  /** The value of a reference to a resource. @param reference the logical id or the output, with the attribute if there is one */
  of: (reference: string) => string;
}

/** The text with every wildcard of IAM: `*` is any text, `?` one character. Upper and lower case differ. */
function isLike(value: string, pattern: string): boolean {
  const literal = pattern.replaceAll(/[.+^${}()|[\]\\]/g, '\\$&');
  return new RegExp(`^${literal.replaceAll('*', '[^]*').replaceAll('?', '[^]')}$`).test(value);
}

/** Actions have no upper and lower case. */
function isAction(action: string, patterns: readonly string[]): boolean {
  return patterns.some((pattern) => isLike(action.toLowerCase(), pattern.toLowerCase()));
}

function holds({ Condition }: Statement, context: Record<string, string>): boolean {
  return CONDITIONS.every((operator) =>
    Object.entries(Condition[operator] ?? {}).every(([key, values]) => {
      const value = context[key];
      // A key that the request does not have fails the condition.
      if (value === undefined) return false;
      return values.some((one) => (operator === 'StringLike' ? isLike(value, one) : value === one));
    }),
  );
}

/** How a template writes a value that is known at the deploy. */
export const referenceSchema = z.union([
  z.strictObject({ 'Fn::Join': z.tuple([z.string(), z.array(z.unknown())]) }),
  z.strictObject({ 'Fn::GetAtt': z.tuple([z.string(), z.string()]) }),
  z.strictObject({ Ref: z.string() }),
  z.strictObject({ 'Fn::ImportValue': z.string() }),
  z.strictObject({ 'Fn::GetStackOutput': z.looseObject({ OutputName: z.string() }) }),
]);

/** A value of a template as the deploy makes it. */
function deployed(value: unknown, names: DeployedNames): unknown {
  if (Array.isArray(value)) return value.map((one) => deployed(one, names));
  if (typeof value !== 'object' || value === null) return value;
  const reference = referenceSchema.safeParse(value);
  if (!reference.success) {
    return Object.fromEntries(Object.entries(value).map(([key, one]) => [key, deployed(one, names)]));
  }
  const { data } = reference;
  if ('Fn::Join' in data) {
    const [separator, parts] = data['Fn::Join'];
    return parts.map((part) => z.string().parse(deployed(part, names))).join(separator);
  }
  if ('Fn::GetAtt' in data) return names.of(data['Fn::GetAtt'].join('.'));
  if ('Fn::ImportValue' in data) return names.of(data['Fn::ImportValue']);
  if ('Fn::GetStackOutput' in data) return names.of(data['Fn::GetStackOutput'].OutputName);
  if (data.Ref === 'AWS::Partition') return 'aws';
  if (data.Ref === 'AWS::AccountId') return names.account;
  if (data.Ref === 'AWS::Region') return names.region;
  return names.of(data.Ref);
}

const policySchema = z.object({ Properties: z.object({ PolicyDocument: z.unknown() }) });

/** The document of a template's one managed policy of that name. @param name the beginning of its logical id */
export function managedPolicy(template: Template, name: string): unknown {
  const all = Object.entries(template.findResources('AWS::IAM::ManagedPolicy'));
  const policies = all.filter(([id]) => id.startsWith(name));
  if (policies.length !== 1) throw new Error(`${policies.length} policies begin with ${name}`);
  return policySchema.parse(defined(policies[0])[1]).Properties.PolicyDocument;
}

/** A managed policy of a template. @param name the beginning of its logical id */
export class EvaluatedPolicy {
  readonly statements: readonly Statement[];

  constructor(template: Template, name: string, names: DeployedNames) {
    this.statements = documentSchema.parse(deployed(managedPolicy(template, name), names)).Statement;
  }

  /** Whether somebody with this policy alone may do it. */
  allows({ action, resource, context = {} }: IamRequest): boolean {
    const matching = this.statements.filter(
      (statement) =>
        isAction(action, statement.Action) &&
        statement.Resource.some((pattern) => isLike(resource, pattern)) &&
        holds(statement, context),
    );
    return (
      matching.some(({ Effect }) => Effect === 'Allow') && !matching.some(({ Effect }) => Effect === 'Deny')
    );
  }
}
