import { queryService } from './query-protocol.ts';
import type { Service } from './service.ts';

const ACCOUNT = '000000000000';

/** Who calls, if a test sets nothing else. */
export const CALLER = `arn:aws:iam::${ACCOUNT}:user/sandbox`;

/** The token of a session is the policy that narrows it. S3 does not look at it. */
function credentialsOf(policy: string) {
  const SessionToken = Buffer.from(policy).toString('base64url');
  return { AccessKeyId: 'sandbox-session', SecretAccessKey: 'sandbox', SessionToken };
}

/** STS: who calls, and sessions of a role that a policy narrows. Every role exists, and may be assumed. */
export function stsService(caller: { arn: string }): Service {
  return queryService({
    name: 'sts',
    namespace: 'https://sts.amazonaws.com/doc/2011-06-15/',
    keyOf: (parameters) => parameters.get('RoleArn') ?? undefined,
    operations: {
      GetCallerIdentity: () => ({ Arn: caller.arn, UserId: 'sandbox', Account: ACCOUNT }),
      AssumeRole: (parameters) => ({ Credentials: credentialsOf(parameters.get('Policy') ?? '') }),
    },
  });
}
