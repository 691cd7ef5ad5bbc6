import { randomUUID } from 'node:crypto';
import { pathToFileURL } from 'node:url';
import * as z from 'zod';

const functionModule = z.object({
  handler: z.custom<(event: unknown, context: unknown) => Promise<unknown>>(
    (value) => typeof value === 'function',
  ),
});

/** Lambda's limit. Milliseconds. */
const LONGEST_RUN = 15 * 60_000;

function contextOf(functionName: string) {
  const end = Date.now() + LONGEST_RUN;
  return {
    functionName,
    functionVersion: '$LATEST',
    invokedFunctionArn: `arn:aws:lambda:us-east-1:000000000000:function:${functionName}`,
    memoryLimitInMB: '1024',
    awsRequestId: randomUUID(),
    getRemainingTimeInMillis: () => end - Date.now(),
  };
}

/** Loads a function from its file, and calls it with an event and the context of Lambda. */
export async function callHandler(file: string, functionName: string, event: unknown): Promise<unknown> {
  const { handler } = functionModule.parse(await import(pathToFileURL(file).href));
  return handler(event, contextOf(functionName));
}
