import { createHash } from 'node:crypto';
import type { LastTick, OpenRound, PlanStore } from '../store/plan-store.ts';
import type { OpsNotices } from '#mailing/ops/ops-notices.ts';
import type { FoundRounds } from './open-rounds.ts';

/** The most objects that one notice lists. */
const MOST_LISTED = 100;

/** What ops can do to get the reports of a lost round. */
const HOW_TO_GO_ON =
  'Start an execution of the reports with { "kind": "daily", "day": … } for the days that are missing, or with "from", "to" and "send": true for several. delivery-watch names the merchants.';

/** Notifies ops that the record of the last tick cannot be read. */
export async function notifyOfMemory(opsNotices: OpsNotices, last: LastTick, tick: string): Promise<void> {
  if (last.is !== 'spoilt') return;
  await opsNotices.notifyOnce(
    `last tick not readable: ${last.key}, tick ${tick}`,
    'The last tick cannot be read',
    `${last.reason}. The tick ${tick} looks 24 hours back instead, so that nobody is left out. What is done already is not done twice. The object is written again at the end of this tick.`,
  );
}

async function giveUp(
  { plans, opsNotices }: { plans: PlanStore; opsNotices: OpsNotices },
  { itemsKey, openedAt }: OpenRound,
  why: string,
): Promise<boolean> {
  const notified = await opsNotices.notifyOnce(
    `round given up: ${itemsKey}`,
    'A round of reports is given up',
    [
      `The round that was planned at ${openedAt} did not end. ${why}`,
      `Its merchants and days are in ${itemsKey}. ${HOW_TO_GO_ON}`,
    ].join('\n'),
  );
  // A round is closed only after ops were notified.
  if (notified) await plans.closeRound(itemsKey);
  return notified;
}

/** One notice for all of them. */
async function notifyOfSpoilt(opsNotices: OpsNotices, spoilt: FoundRounds['spoilt']): Promise<void> {
  if (spoilt.length === 0) return;
  const hash = createHash('sha256').update(JSON.stringify(spoilt)).digest('hex');
  const listed = spoilt.slice(0, MOST_LISTED).map(({ reason }) => reason);
  if (spoilt.length > MOST_LISTED) listed.push(`… and ${spoilt.length - MOST_LISTED} more`);
  await opsNotices.notifyOnce(
    `open rounds not readable: ${hash}`,
    'The record of a round cannot be read',
    `If a record is named after a tick, its round is handed out again, and nothing is done twice. Delete all other records.\n\n${listed.join('\n')}`,
  );
}

function whyOver({ itemsKey, handedOutBy }: OpenRound): string {
  return handedOutBy === itemsKey
    ? 'No tick handed it out again within 24 hours.'
    : 'It was handed out again until it was 24 hours old, and is not handed out any more.';
}

/**
 * Notifies ops of rounds that are not handed out again, and closes those after ops were notified. Also
 * notifies ops of records of open rounds that cannot be read.
 */
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
