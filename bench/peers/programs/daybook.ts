import { loadHandler } from '../../handler.ts';
import { readTask } from './task.ts';

/** One cold invocation of the built function, whose file is the second argument. The variables say everything else. */
const { merchant_code: merchantCode, day } = readTask();
const dailyReport = await loadHandler(process.argv[3] ?? '', 512);
const answer = (await dailyReport({ merchantCode, day })) as { balanced: boolean; mail: { status: string } };
if (!answer.balanced || answer.mail.status !== 'sent')
  throw new Error(`not reported: ${JSON.stringify(answer)}`);
// The function's connections stay open. Lambda would freeze the process here.
process.exit(0);
