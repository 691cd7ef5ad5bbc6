import { createHash } from 'node:crypto';
import type { LastTick, OpenRound, PlanStore } from '../store/plan-store.ts';
import type { OpsNotices } from '#mail/notices/ops-notices.ts';
import type { FoundRounds } from './open-rounds.ts';

/** The most objects that one notice lists. */
const MOST_LISTED = 100;

export async function notifyOfMemory(opsNotices: OpsNotices, last: LastTick, tick: string): Promise<void> {
  if (last.is !== 'spoilt') return;
  await opsNotices.notifyOnce({
    about: `last tick not readable: ${last.key}, tick ${tick}`,
    merchants: [],
    days: [],
    happened: 'the last tick cannot be read',
    meaning: [`${last.reason}.`, 'So it is not known where the time of this tick begins.'],
    tried: [
      `The tick ${tick} looks 24 hours back instead, so that nobody is left out. What is done already is not done twice.`,
      'The object is written again at the end of this tick.',
    ],
    toDo: [
      'Find out who wrote that object. Only plan may write it.',
      'If Daybook did not run for more than 24 hours, make up for the days before with a backfill.',
    ],
    headings: ['recordNotReadable'],
    errors: ['StoredObjectError'],
    commands: [{ shows: 'The record as it is now', does: 'show object', key: last.key }],
  });
}

async function giveUp(
  { plans, opsNotices }: { plans: PlanStore; opsNotices: OpsNotices },
  { itemsKey, openedAt }: OpenRound,
  why: string,
): Promise<boolean> {
  const notified = await opsNotices.notifyOnce({
    about: `round given up: ${itemsKey}`,
    merchants: [],
    days: [],
    happened: `a round of reports is given up (planned at ${openedAt})`,
    meaning: [
      `The round that was planned at ${openedAt} did not end. Some of its merchants may have no report.`,
      `Its merchants and days are in ${itemsKey}.`,
    ],
    tried: [why],
    toDo: [
      'Look at the failed executions of the reports in Step Functions, and correct the cause.',
      'See which reports are missing, with the second command.',
      'Make up for the days that are missing with a backfill that mails (--send).',
    ],
    headings: ['roundGivenUp'],
    commands: [
      { shows: 'The merchants and days of the round', does: 'show object', key: itemsKey },
      {
        shows: 'The reports that are missing now',
        does: 'daybook',
        words: ['status'],
      },
    ],
  });
  // A round is closed only after ops were notified.
  if (notified) await plans.closeRound(itemsKey);
  return notified;
}

async function notifyOfSpoilt(opsNotices: OpsNotices, spoilt: FoundRounds['spoilt']): Promise<void> {
  const [first] = spoilt;
  if (first === undefined) return;
  const hash = createHash('sha256').update(JSON.stringify(spoilt)).digest('hex');
  const count = spoilt.length;
  await opsNotices.notifyOnce({
    about: `open rounds not readable: ${hash}`,
    merchants: [],
    days: [],
    happened:
      count === 1 ? 'the record of a round cannot be read' : `${count} records of rounds cannot be read`,
    meaning: ['Another program wrote these objects, or somebody changed them.'],
    tried: [
      'If a record is named after a tick, its round is handed out again, and nothing is done twice. No other record has an effect.',
    ],
    toDo: ['Find out who wrote these objects.', 'Delete the records that are not named after a tick.'],
    headings: ['recordNotReadable'],
    errors: ['StoredObjectError'],
    commands: [{ shows: 'The first of them', does: 'show object', key: first.key }],
    list: {
      heading: 'The records',
      lines: spoilt.slice(0, MOST_LISTED).map(({ reason }) => reason),
      total: count,
    },
  });
}

function whyOver({ itemsKey, handedOutBy }: OpenRound): string {
  return handedOutBy === itemsKey
    ? 'No tick handed it out again within 24 hours.'
    : 'It was handed out again until it was 24 hours old, and is not handed out any more.';
}

/** Notifies ops of rounds that are not handed out again, and closes them then; and of unreadable records. */
export async function notifyOfRounds(
  ports: { plans: PlanStore; opsNotices: OpsNotices },
  { givenUp, lost, spoilt }: FoundRounds,
): Promise<void> {
  await Promise.all([
    ...givenUp.map((round) => giveUp(ports, round, whyOver(round))),
    ...lost.map(({ round, reason }) => giveUp(ports, round, `It cannot be handed out again: ${reason}.`)),
    notifyOfSpoilt(ports.opsNotices, spoilt),
  ]);
}
