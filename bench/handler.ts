import { randomUUID } from 'node:crypto';
import { pathToFileURL } from 'node:url';

/** Lambda's limit. Milliseconds. */
const LONGEST_RUN = 15 * 60_000;

type Handler = (event: unknown, context: unknown) => Promise<unknown>;

/** The handler of a built function, with a context like Lambda's. @param file its `index.mjs` @param memory MB */
export async function loadHandler(
  file: string,
  memory: number,
): Promise<(event: unknown) => Promise<unknown>> {
  const { handler } = (await import(pathToFileURL(file).href)) as { handler: Handler };
  return (event) => {
    const end = Date.now() + LONGEST_RUN;
    return handler(event, {
      functionName: 'bench',
      functionVersion: '$LATEST',
      invokedFunctionArn: 'arn:aws:lambda:us-east-1:000000000000:function:bench',
      memoryLimitInMB: String(memory),
      awsRequestId: randomUUID(),
      getRemainingTimeInMillis: () => end - Date.now(),
    });
  };
}
