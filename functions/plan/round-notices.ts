import type { LastTick, OpenRound, OpsNotices, PlanStore } from '../shared/ports.ts';
import type { FoundRounds } from './open-rounds.ts';

/** What ops do, so that the reports of a round are made. */
const HOW_TO_GO_ON =
  'Start an execution of the reports with { "kind": "daily", "day": … } for the days that are missing, or with "from", "to" and "send": true for several. delivery-watch names the merchants.';

/** Tells ops that the record of the last tick cannot be read. */
export async function tellOfMemory(notices: OpsNotices, last: LastTick, tick: string): Promise<void> {
  if (last.is !== 'spoilt') return;
  await notices.tellOnce(
    `last tick not readable: ${last.key}, tick ${tick}`,
    'The last tick cannot be read',
    `${last.reason}. The tick ${tick} looks 24 hours back instead, so that nobody is left out. What is done already is not done twice. The object is written again at the end of this tick.`,
  );
}

async function giveUp(
  { plans, notices }: { plans: PlanStore; notices: OpsNotices },
  { itemsKey, openedAt }: OpenRound,
  why: string,
): Promise<boolean> {
  const told = await notices.tellOnce(
    `round given up: ${itemsKey}`,
    'A round of reports is given up',
    [
      `The round that was planned at ${openedAt} did not end. ${why}`,
      `Its merchants and days stand in ${itemsKey}. ${HOW_TO_GO_ON}`,
    ].join('\n'),
  );
  // A round is closed only when ops know of it.
  if (told) await plans.closeRound(itemsKey);
  return told;
}

/**
 * Tells ops of rounds that are not handed out again, and closes these once ops know. Also tells of records of open
 * rounds that cannot be read.
 */
export async function tellOfRounds(
  ports: { plans: PlanStore; notices: OpsNotices },
  { givenUp, lost, spoilt }: FoundRounds,
): Promise<void> {
  const over = 'It was handed out again for 24 hours, and is not handed out any more.';
  await Promise.all([
    ...givenUp.map((round) => giveUp(ports, round, over)),
    ...lost.map(({ round, reason }) => giveUp(ports, round, `It cannot be handed out again: ${reason}.`)),
    ...spoilt.map(({ key, reason }) =>
      ports.notices.tellOnce(
        `open round not readable: ${key}`,
        'The record of a round cannot be read',
        `${reason}. If it is named after a tick, the round is handed out again, and nothing is done twice. If not, delete ${key}.`,
      ),
    ),
  ]);
}
