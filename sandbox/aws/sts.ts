import { randomUUID } from 'node:crypto';
import * as z from 'zod';
import { queryService } from './query-protocol.ts';
import { ServiceError, type Service } from './service.ts';

const ACCOUNT = '000000000000';

/** Who calls, if a test sets nothing else. */
export const CALLER = `arn:aws:iam::${ACCOUNT}:user/sandbox`;

const policySchema = z.object({
  Statement: z.array(z.object({ Effect: z.literal('Allow'), Action: z.string(), Resource: z.string() })),
});
type Allowed = z.infer<typeof policySchema>['Statement'];

/** What sessions may do, by their tokens. */
export class Sessions {
  readonly #now: () => number;
  readonly #known = new Map<string, { allows: Allowed; until: number }>();

  constructor(now: () => number) {
    this.#now = now;
  }

  begin(policy: string, seconds: number) {
    const parsed = policySchema.safeParse(JSON.parse(policy));
    if (!parsed.success) throw new ServiceError(400, 'MalformedPolicyDocument', 'The policy is not valid.');
    const [SessionToken, until] = [`session-${randomUUID()}`, this.#now() + seconds * 1_000];
    this.#known.set(SessionToken, { allows: parsed.data.Statement, until });
    const Expiration = new Date(until).toISOString();
    return { AccessKeyId: 'sandbox-session', SecretAccessKey: 'sandbox', SessionToken, Expiration };
  }

  allows(token: string, action: string, resource: string): boolean {
    const { allows, until } = this.#known.get(token) ?? { allows: [], until: 0 };
    const isNamed = allows.some(({ Action, Resource }) => Action === action && Resource === resource);
    return isNamed && this.#now() < until;
  }
}

/** STS: who calls, and sessions of a role that a policy narrows. Every role exists, and may be assumed. */
export function stsService(caller: { arn: string }, sessions: Sessions): Service {
  return queryService({
    name: 'sts',
    namespace: 'https://sts.amazonaws.com/doc/2011-06-15/',
    keyOf: (parameters) => parameters.get('RoleArn') ?? undefined,
    operations: {
      GetCallerIdentity: () => ({ Arn: caller.arn, UserId: 'sandbox', Account: ACCOUNT }),
      AssumeRole: (parameters) => {
        const given = (name: string) => parameters.get(name) ?? '';
        return { Credentials: sessions.begin(given('Policy'), Number(given('DurationSeconds'))) };
      },
    },
  });
}
