// One function environment, as in Lambda: it has its own memory, runs one invocation at a time, and stays warm. It is a
// thread, so that the logs of the functions do not go to the terminal.
import { randomUUID } from 'node:crypto';
import { pathToFileURL } from 'node:url';
import { parentPort } from 'node:worker_threads';
import * as z from 'zod';

const invocation = z.object({ functionName: z.string(), file: z.string(), event: z.unknown() });
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

async function invoke(message: unknown): Promise<unknown> {
  try {
    const { functionName, file, event } = invocation.parse(message);
    const { handler } = functionModule.parse(await import(pathToFileURL(file).href));
    return { answer: await handler(event, contextOf(functionName)) };
  } catch (error) {
    if (!(error instanceof Error)) return { error: { name: 'Error', message: String(error) } };
    return { error: { name: error.name, message: error.message } };
  }
}

parentPort?.on('message', (message: unknown) => {
  void invoke(message).then((outcome) => {
    // After this write all earlier lines are written, too. An environment may be ended as soon as it has answered.
    process.stdout.write('', () => parentPort?.postMessage(outcome));
  });
});
