import * as z from 'zod';
import type { Day } from '#records/day/business-day.ts';
import type { FunctionName } from '#lib/functions.ts';
import { registeredCodes, type Stage } from '../stage.ts';
import { dayName, evidenceOf } from '../truths/evidence.ts';
import { watchAnswer, type ReportAsItIs } from '../truths/watch-answer.ts';

/** Calls a function that the schedule calls with its time. Calls it again for a dead letter, without faults. */
async function scheduled(stage: Stage, functionName: FunctionName, time: string): Promise<unknown> {
  const { world, weather, invoker } = stage;
  stage.tell(`${functionName} ${time}`);
  world.clock.jumpTo(time);
  weather.worsen(`${functionName} ${time}`, registeredCodes(stage));
  const event = { now: time };
  const done =
    (await invoker.unattended(functionName, event, time)) ??
    (await weather.calmly(() => invoker.unattended(functionName, event, time)));
  weather.clear();
  if (done !== undefined) return done.answer;
  stage.broken.push({ what: `${functionName} of ${time} failed without any fault` });
  return undefined;
}

const sweptSchema = z.object({ settled: z.int(), held: z.int(), removed: z.int() });

export async function sweep(stage: Stage, time: string): Promise<void> {
  const answer = await scheduled(stage, 'sweep', time);
  const swept = sweptSchema.safeParse(answer).data;
  stage.counts.other.add('ledgers settled by sweep', (swept?.settled ?? 0) + (swept?.held ?? 0));
  stage.counts.other.add('files without a seal removed', swept?.removed ?? 0);
}

/** Asks the watch about the newest reports, and compares its answer with the facts. */
export async function watch(stage: Stage, time: string, reported: Day): Promise<void> {
  const answer = await scheduled(stage, 'delivery-watch', time);
  if (answer === undefined) return;
  stage.broken.push(...watchAnswer(answer, await reportsAsTheyAre(stage, reported)));
}

async function reportsAsTheyAre({ world, book }: Stage, day: Day): Promise<ReportAsItIs[]> {
  const objects = new Map([
    ...(await world.objects(`days/day=${day}/`)),
    ...(await world.objects(`mail/day=${day}/`)),
  ]);
  const mails = world.aws.mail.messages.filter(({ tags }) => tags['day'] === day && tags['kind'] !== 'alert');
  const evidence = evidenceOf(objects, mails, []);
  return book.merchants
    .filter(({ reportFrom }) => reportFrom <= day)
    .map(({ account: { merchantCode } }) => ({
      merchantCode,
      day,
      recipients: book.recipients(merchantCode),
      manifests: evidence.days.get(dayName({ merchantCode, day })) ?? [],
      ledgers: [...evidence.ledgers]
        .filter(([key]) => key.includes(`merchant=${merchantCode}/`))
        .map(([, ledger]) => ledger),
      mails: mails.filter(({ tags }) => tags['merchant'] === merchantCode),
    }));
}
