import type { Context } from 'aws-lambda';

/** What Lambda hands to a function beside its event, with changes to single members. */
export function lambdaContext(changes: Partial<Context> = {}): Context {
  return {
    callbackWaitsForEmptyEventLoop: true,
    functionName: 'daybook',
    functionVersion: '$LATEST',
    invokedFunctionArn: 'arn:aws:lambda:eu-central-1:123456789012:function:daybook',
    memoryLimitInMB: '512',
    awsRequestId: 'request-1',
    logGroupName: '/aws/lambda/daybook',
    logStreamName: 'stream',
    getRemainingTimeInMillis: () => 60_000,
    /* eslint-disable @typescript-eslint/no-deprecated -- the type still asks for these three */
    done: () => undefined,
    fail: () => undefined,
    succeed: () => undefined,
    /* eslint-enable @typescript-eslint/no-deprecated */
    ...changes,
  };
}
