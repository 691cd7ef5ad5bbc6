import { INVOICE_TYPES } from '../measure.ts';
import type { ReaderTask } from '../measure.ts';
import { builtFunction } from './built.ts';
import { bareReader } from './loops.ts';

const CHECKS = 60;
/** The time of all checks, independent of the machine's clock. Milliseconds. */
const AFTERNOON = 6 * 3_600_000;

interface Answer {
  ignored: string | null;
  noData: unknown[];
}

/** Rules on counts, checked by the deployed function again and again. */
export async function alertChecks({ merchant, day }: ReaderTask): Promise<number> {
  const alertCheck = await builtFunction('alert-check');
  const noon = Date.parse(`${day}T09:00:00Z`);
  for (let check = 0; check < CHECKS; check += 1) {
    const now = new Date(noon + (Date.now() % AFTERNOON)).toISOString();
    const answer = (await alertCheck({ merchantCode: merchant.merchantCode, now })) as Answer;
    if (answer.ignored !== null || answer.noData.length > 0)
      throw new Error(`not checked: ${JSON.stringify(answer)}`);
  }
  return CHECKS;
}

/** The least that a check of counts needs: a login, and the first page of each type, all at once. */
export async function bareChecks(task: ReaderTask): Promise<number> {
  for (let check = 0; check < CHECKS; check += 1) {
    const read = await bareReader(task);
    await Promise.all(INVOICE_TYPES.map((type) => read(type, 1)));
  }
  return CHECKS;
}
