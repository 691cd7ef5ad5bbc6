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

/** Loads a function from its file: what calls it with an event and a context like Lambda's. @param memory MB */
export async function loadHandler(file: string, functionName: string, memory = 1_024) {
  const { handler } = functionModule.parse(await import(pathToFileURL(file).href));
  return (event: unknown): Promise<unknown> => {
    const end = Date.now() + LONGEST_RUN;
    return handler(event, {
      functionName,
      functionVersion: '$LATEST',
      invokedFunctionArn: `arn:aws:lambda:us-east-1:000000000000:function:${functionName}`,
      memoryLimitInMB: String(memory),
      awsRequestId: randomUUID(),
      getRemainingTimeInMillis: () => end - Date.now(),
    });
  };
}
