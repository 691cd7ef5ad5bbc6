import * as z from 'zod';
import { queryService } from './query-protocol.ts';
import { ServiceError, type Service } from './service.ts';

const ACCOUNT = '000000000000';

/** Who calls, if a test sets nothing else. */
export const CALLER = `arn:aws:iam::${ACCOUNT}:user/sandbox`;

const statement = z.object({ Effect: z.literal('Allow'), Action: z.string(), Resource: z.string() });
const sessionSchema = z.object({ Statement: z.array(statement), until: z.number().default(0) });

/** Credentials of a session. The token says what it may do, and until when. @param now milliseconds since 1970 UTC */
function credentialsOf(policy: string, seconds: number, now: number) {
  const parsed = sessionSchema.safeParse(JSON.parse(policy));
  if (!parsed.success) throw new ServiceError(400, 'MalformedPolicyDocument', 'The policy is not valid.');
  const session = { ...parsed.data, until: now + seconds * 1_000 };
  const SessionToken = Buffer.from(JSON.stringify(session)).toString('base64url');
  const Expiration = new Date(session.until).toISOString();
  return { AccessKeyId: 'sandbox-session', SecretAccessKey: 'sandbox', SessionToken, Expiration };
}

/** @param now milliseconds since 1970 UTC */
export function sessionAllows(token: string, action: string, resource: string, now: number): boolean {
  const { Statement, until } = sessionSchema.parse(JSON.parse(Buffer.from(token, 'base64url').toString()));
  return now < until && Statement.some(({ Action, Resource }) => Action === action && Resource === resource);
}

/** STS: who calls, and sessions of a role that a policy narrows. Every role exists, and may be assumed. */
export function stsService(caller: { arn: string }, now: () => number): Service {
  return queryService({
    name: 'sts',
    namespace: 'https://sts.amazonaws.com/doc/2011-06-15/',
    keyOf: (parameters) => parameters.get('RoleArn') ?? undefined,
    operations: {
      GetCallerIdentity: () => ({ Arn: caller.arn, UserId: 'sandbox', Account: ACCOUNT }),
      AssumeRole: (parameters) => {
        const given = (name: string) => parameters.get(name) ?? '';
        return { Credentials: credentialsOf(given('Policy'), Number(given('DurationSeconds')), now()) };
      },
    },
  });
}
