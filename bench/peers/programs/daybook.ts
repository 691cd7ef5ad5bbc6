import { pathToFileURL } from 'node:url';
import { readTask } from './task.ts';

/** Lambda's limit. Milliseconds. */
const LONGEST_RUN = 15 * 60_000;

type Handler = (event: unknown, context: unknown) => Promise<unknown>;

interface Answer {
  balanced: boolean;
  mail: { status: string };
}

/** One cold invocation of the built function, whose file is the second argument. The variables say everything else. */
const { merchant_code: merchantCode, day } = readTask();
const end = Date.now() + LONGEST_RUN;
const { handler } = (await import(pathToFileURL(process.argv[3] ?? '').href)) as { handler: Handler };
const answer = (await handler(
  { merchantCode, day },
  {
    functionName: 'daily-report',
    memoryLimitInMB: '512',
    awsRequestId: 'bench',
    getRemainingTimeInMillis: () => end - Date.now(),
  },
)) as Answer;
if (!answer.balanced || answer.mail.status !== 'sent')
  throw new Error(`not reported: ${JSON.stringify(answer)}`);
// The function's connections stay open. Lambda would freeze the process here.
process.exit(0);
