import { queryAnswer, queryRefusal, readQueryRequest } from '../query-protocol.ts';
import { ServiceError } from '../service.ts';
import type { Service } from '../service.ts';

const namespace = 'https://sts.amazonaws.com/doc/2011-06-15/';
const ACCOUNT = '000000000000';

/** Who calls, if a test sets nothing else. */
export const CALLER = `arn:aws:iam::${ACCOUNT}:user/sandbox`;

/** STS, but only GetCallerIdentity. */
export function stsService(caller: { arn: string }): Service {
  return {
    name: 'sts',
    identify: async (request) => {
      const { action } = await readQueryRequest(request);
      return {
        operation: action || 'Unknown',
        perform: (requestId) => {
          if (action === 'GetCallerIdentity') {
            const identity = { Arn: caller.arn, UserId: 'sandbox', Account: ACCOUNT };
            return queryAnswer(namespace, action, identity, requestId);
          }
          throw new ServiceError(400, 'InvalidAction', `The sandbox's STS only has GetCallerIdentity.`);
        },
      };
    },
    refuse: (error, requestId) => queryRefusal(namespace, error, requestId),
  };
}
