// One function environment, as in Lambda: it has its own memory, runs one invocation at a time, and stays warm. It is a
// thread, so that the logs of the functions do not go to the terminal.
import { parentPort } from 'node:worker_threads';
import * as z from 'zod';
import { loadHandler } from './call-handler.ts';

const invocation = z.object({
  functionName: z.string(),
  file: z.string(),
  event: z.unknown(),
  ahead: z.number(),
});
const machineClock = Date.now.bind(Date);

async function invoke(message: unknown): Promise<unknown> {
  try {
    const { functionName, file, event, ahead } = invocation.parse(message);
    Date.now = () => machineClock() + ahead;
    const call = await loadHandler(file, functionName);
    return { answer: await call(event) };
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
