import type { Day } from '#domain/day/business-day.ts';
import type { FanOutKind } from '#lib/functions.ts';
import { changeDay, daysStillPulled } from '../service/data-changes.ts';
import { registeredCodes } from '../stage.ts';
import type { Stage } from '../stage.ts';
import { leftUndone } from './executions.ts';
import type { PlanEvent } from './executions.ts';
import type { Undone } from './undone.ts';

/** Executes an event. Without faults, all of it must succeed. */
async function execute(stage: Stage, event: PlanEvent, tick: string): Promise<Undone[]> {
  const execution = await stage.executions.execute(event, tick);
  stage.counts.other.add('executions');
  const undone = leftUndone(event, execution);
  if (undone === undefined) return [];
  if (stage.weather.isClear) {
    const { error = '', cause = '' } = execution;
    const failed = execution.mapRuns.flatMap(({ children }) =>
      children.flatMap((child) => child.cause ?? []),
    );
    const why = [error, cause, ...failed].join(' ').trim();
    stage.broken.push({ what: `an execution of ${tick} failed without any fault: ${why}` });
  }
  return [{ event: undone, tick }];
}

/**
 * Fires a schedule: usually once, sometimes twice, one after the other or at the same time.
 *
 * @param time the scheduled time, ISO 8601 in UTC
 * @returns the work to do again
 */
export async function fire(stage: Stage, kind: FanOutKind, time: string): Promise<Undone[]> {
  const { world, draws, counts, weather } = stage;
  const tick = `${kind} ${time}`;
  const event: PlanEvent = { kind, scheduledTime: time };
  stage.tell(tick);
  world.clock.jumpTo(time);
  const random = draws.of('schedule', tick);
  const atOnce = !weather.isCalm && random.chance(4);
  const again = !weather.isCalm && random.chance(5);
  counts.other.add('ticks', atOnce || again ? 2 : 1);
  const first = execute(stage, event, tick);
  if (atOnce) return (await Promise.all([first, execute(stage, event, tick)])).flat();
  return again ? [...(await first), ...(await execute(stage, event, tick))] : first;
}

/** The tick at which all merchants are due, with its faults and with changes at the same time. */
export async function dailyTick(stage: Stage, time: string, reported: Day): Promise<Undone[]> {
  const { weather, people } = stage;
  weather.worsen(`daily ${time}`, registeredCodes(stage));
  people.turnKeys();
  changesMeanwhile(stage, time, reported);
  const undone = await fire(stage, 'daily', time);
  weather.clear();
  people.turnTheRest();
  return undone;
}

/** Days that later ticks look back at change in the middle of a request. */
function changesMeanwhile(
  { world, draws, counts, weather, book, firstDay }: Stage,
  time: string,
  reported: Day,
): void {
  if (weather.isCalm) return;
  const days = daysStillPulled(reported, firstDay).slice(0, -1);
  for (const { account } of book.merchants) {
    const { merchantCode } = account;
    const random = draws.of('meanwhile', time, merchantCode);
    if (!random.chance(15) || days.length === 0) continue;
    const day = random.chance(60) ? reported : random.pick(days);
    const change = () => {
      changeDay(world, merchantCode, day, random);
      counts.other.add('changes in the middle of a pull');
    };
    const hook = random.pick(['before', 'after'] as const);
    const skip = random.below(10);
    world.payments.behaviour.faults.add({ merchantCode, skip, action: { kind: 'call', [hook]: change } });
  }
}

/**
 * A person starts the failed work again, without faults.
 *
 * @returns the work for the next time: mail that SES always refuses
 */
export function doAgain(stage: Stage, undone: readonly Undone[]): Promise<Undone[]> {
  return stage.weather.calmly(async () => {
    const left: Undone[] = [];
    for (const { event, tick } of undone) {
      stage.counts.other.add('executions done again');
      left.push(...(await execute(stage, event, tick)));
    }
    return left;
  });
}

/** A tick of the alert checks, and its results. */
export async function alertTick(stage: Stage, time: string): Promise<void> {
  const { weather, book, alerts, broken } = stage;
  weather.worsen(`alert ${time}`, registeredCodes(stage));
  await fire(stage, 'alert', time);
  weather.clear();
  broken.push(...(await alerts.look(time, book.merchants, weather.isCalm)));
}
