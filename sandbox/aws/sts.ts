import { randomUUID } from 'node:crypto';
import * as z from 'zod';
import { queryAnswer, queryRefusal, readQueryRequest } from './query-protocol.ts';
import { ServiceError } from './service.ts';
import type { Service } from './service.ts';

const namespace = 'https://sts.amazonaws.com/doc/2011-06-15/';
const ACCOUNT = '000000000000';

/** Who calls, if a test sets nothing else. */
export const CALLER = `arn:aws:iam::${ACCOUNT}:user/sandbox`;

const policySchema = z.object({
  Statement: z.array(z.object({ Effect: z.literal('Allow'), Action: z.string(), Resource: z.string() })),
});

/** What sessions may do, by their tokens. */
export class Sessions {
  readonly #now: () => number;
  readonly #policies = new Map<
    string,
    { allows: z.infer<typeof policySchema>['Statement']; until: number }
  >();

  constructor(now: () => number) {
    this.#now = now;
  }

  begin(policy: string, seconds: number) {
    const parsed = policySchema.safeParse(JSON.parse(policy));
    if (!parsed.success) throw new ServiceError(400, 'MalformedPolicyDocument', 'The policy is not valid.');
    const [token, until] = [`session-${randomUUID()}`, this.#now() + seconds * 1_000];
    this.#policies.set(token, { allows: parsed.data.Statement, until });
    return {
      AccessKeyId: 'sandbox-session',
      SecretAccessKey: 'sandbox',
      SessionToken: token,
      Expiration: new Date(until).toISOString(),
    };
  }

  allows(token: string, action: string, resource: string): boolean {
    const { allows, until } = this.#policies.get(token) ?? { allows: [], until: 0 };
    return (
      this.#now() < until && allows.some(({ Action, Resource }) => Action === action && Resource === resource)
    );
  }
}

/** STS: who calls, and sessions of a role that a policy narrows. Every role exists, and may be assumed. */
export function stsService(caller: { arn: string }, sessions: Sessions): Service {
  return {
    name: 'sts',
    identify: async (request) => {
      const { action, parameters } = await readQueryRequest(request);
      const given = (name: string) => parameters.get(name) ?? '';
      return {
        operation: action || 'Unknown',
        key: parameters.get('RoleArn') ?? undefined,
        perform: (requestId) => {
          switch (action) {
            case 'GetCallerIdentity': {
              const identity = { Arn: caller.arn, UserId: 'sandbox', Account: ACCOUNT };
              return queryAnswer(namespace, action, identity, requestId);
            }
            case 'AssumeRole': {
              const Credentials = sessions.begin(given('Policy'), Number(given('DurationSeconds')));
              const Arn = `${given('RoleArn')}/${given('RoleSessionName')}`;
              return queryAnswer(
                namespace,
                action,
                { Credentials, AssumedRoleUser: { Arn, AssumedRoleId: 'sandbox' } },
                requestId,
              );
            }
            default:
              throw new ServiceError(
                400,
                'InvalidAction',
                `The sandbox's STS only has GetCallerIdentity and AssumeRole.`,
              );
          }
        },
      };
    },
    refuse: (error, requestId) => queryRefusal(namespace, error, requestId),
  };
}
