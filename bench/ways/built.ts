import { pathToFileURL } from 'node:url';
import { join } from 'node:path';

type Handler = (event: unknown, context: unknown) => Promise<unknown>;

/** Lambda's limit. Milliseconds. */
const LONGEST_RUN = 15 * 60_000;

/** The handler of a built function (`npm run build`), with a context like Lambda's. */
export async function builtFunction(name: string): Promise<(event: unknown) => Promise<unknown>> {
  // Its log lines would appear between the figures.
  process.stdout.write = () => true;
  const file = join(import.meta.dirname, '../../dist/functions', name, 'index.mjs');
  const { handler } = (await import(pathToFileURL(file).href)) as { handler: Handler };
  return (event) => {
    const end = Date.now() + LONGEST_RUN;
    return handler(event, {
      functionName: name,
      memoryLimitInMB: '512',
      awsRequestId: 'bench',
      getRemainingTimeInMillis: () => end - Date.now(),
    });
  };
}
