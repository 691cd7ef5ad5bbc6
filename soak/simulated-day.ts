import { addDays, type Day } from '#records/day/business-day.ts';
import { sweep, watch } from './schedule/guards.ts';
import { alertTick, dailyTick, deliver, doAgain, statementTick } from './schedule/ticks.ts';
import { changeDay, daysStillPulled, moreRecords, visitDay } from './service/data-changes.ts';
import type { Stage } from './stage.ts';

const DAY = 24 * 60 * 60_000;
/** How long a person takes to correct an address. Milliseconds. */
const UNTIL_MENDED = 2 * DAY;
/** How many in a hundred of the days that can still change do so in a night. */
const CHANGED_DAYS = 20;
/** On how many in a hundred of these days a person looks at invoices in a night. */
const VISITED_DAYS = 30;
/** How many in a hundred addresses SES refuses on a day. */
const REFUSED = 3;

/** The evening of a day, and the changes since then to earlier days. */
function night({ world, draws, book, weather, firstDay }: Stage, reported: Day): void {
  if (weather.isCalm) return;
  for (const { account } of book.merchants) {
    const { merchantCode } = account;
    const random = draws.of('night', reported, merchantCode);
    moreRecords(world, merchantCode, reported, random);
    for (const day of daysStillPulled(reported, firstDay)) {
      if (random.chance(VISITED_DAYS)) visitDay(world, merchantCode, day, random);
      if (!random.chance(CHANGED_DAYS)) continue;
      for (let more = 1 + random.below(3); more > 0; more -= 1) changeDay(world, merchantCode, day, random);
    }
  }
}

function hours({ world, draws, book }: Stage, today: Day, time: string): void {
  for (const { account } of book.merchants) {
    const { merchantCode } = account;
    const random = draws.of('hours', time, merchantCode);
    moreRecords(world, merchantCode, today, random);
    for (let more = random.below(6); more > 0; more -= 1) changeDay(world, merchantCode, today, random);
  }
}

function refusedOn({ draws, book }: Stage, reported: Day): string[] {
  const random = draws.of('refused', reported);
  const addresses = book.merchants.flatMap(({ account }) => book.recipients(account.merchantCode));
  return addresses.filter(() => random.chance(REFUSED));
}

async function people(stage: Stage, reported: Day): Promise<void> {
  const { people: staff, merchants, feed, weather } = stage;
  await staff.welcome(merchants.filter(({ reportFrom }) => reportFrom === reported));
  await feed.lift(UNTIL_MENDED);
  weather.refuse([]);
  if (weather.isCalm) return;
  weather.refuse(refusedOn(stage, reported));
  await staff.editRegistry(reported);
  staff.rotate(reported);
}

/** The date after a day, when the day is reported. It begins with its night. Times in UTC. */
export async function simulateDay(stage: Stage, reported: Day): Promise<void> {
  const { world, weather, feed } = stage;
  const today = addDays(reported, 1);
  const at = (time: string) => `${today}T${time}:00.000Z`;
  weather.newDay(today);
  await sweep(stage, at('00:20'));
  world.clock.jumpTo(at('02:00'));
  await people(stage, reported);
  night(stage, reported);

  await dailyTick(stage, at('03:00'), at('03:14'), reported);
  await feed.bring();
  await dailyTick(stage, at('03:15'), at('03:49'), reported);
  await sweep(stage, at('03:50'));
  await watch(stage, at('04:10'), reported);
  await deliver(stage, at('06:00'));
  await doAgain(stage, at('06:50'));
  await statementTick(stage, at('06:50'), at('07:00'));
  await feed.bring();
  await watch(stage, at('07:10'), reported);

  const ticks = [
    ['09:00', '10:15', '10:20'],
    ['12:00', '13:15', '13:20'],
    ['15:00', '16:15', '16:20'],
  ] as const;
  for (const [time, checked, swept] of weather.isCalm ? ticks.slice(0, 1) : ticks) {
    world.clock.jumpTo(at(time));
    hours(stage, today, at(time));
    await alertTick(stage, at(time), at(checked));
    await feed.bring();
    await sweep(stage, at(swept));
  }
  await sweep(stage, at('19:20'));
  await sweep(stage, at('22:20'));
}
