import type { ReaderTask } from '../measure.ts';
import { builtFunction } from './built.ts';

interface Answer {
  balanced: boolean;
  counts: { total: number };
  mail: { status: string };
}

/** A whole report as it is deployed: pulled, sealed, its rows read again for the mail, mailed. */
export async function report({ merchant, day }: ReaderTask): Promise<number> {
  const dailyReport = await builtFunction('daily-report');
  const answer = (await dailyReport({ merchantCode: merchant.merchantCode, day })) as Answer;
  if (!answer.balanced || answer.mail.status !== 'sent')
    throw new Error(`not reported: ${JSON.stringify(answer)}`);
  return answer.counts.total;
}
