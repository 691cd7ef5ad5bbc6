import type { Day } from '#records/day/business-day.ts';
import type { FanOutKind } from '#lib/functions.ts';
import { changeDay, daysStillPulled } from '../service/data-changes.ts';
import { registeredCodes } from '../stage.ts';
import type { Stage } from '../stage.ts';
import { failedStatements, leftUndone } from './executions.ts';
import type { PlanEvent } from './executions.ts';
import { FunctionFailure } from './invoker.ts';
import type { Undone, UndoneOfTick } from './undone.ts';

/** Executes an event. Without faults, all of it must succeed. */
async function execute(stage: Stage, event: PlanEvent, tick: string): Promise<UndoneOfTick[]> {
  const execution = await stage.executions.execute(event, tick);
  stage.counts.other.add('executions');
  const again = leftUndone(event, execution);
  const statements = failedStatements(execution).map((statement) => ({ statement }));
  const undone: Undone[] = [...(again === undefined ? [] : [{ event: again }]), ...statements];
  if (undone.length === 0 && execution.status === 'SUCCEEDED') return [];
  if (stage.weather.isClear) {
    const { error = '', cause = '' } = execution;
    const failed = execution.mapRuns.flatMap(({ children }) =>
      children.flatMap((child) => child.cause ?? []),
    );
    const why = [error, cause, ...failed].join(' ').trim();
    stage.broken.push({ what: `an execution of ${tick} failed without any fault: ${why}` });
  }
  return undone.map((one) => ({ ...one, tick }));
}

/**
 * Fires a schedule: usually once, sometimes twice, one after the other or at the same time.
 *
 * @param time the scheduled time, ISO 8601 in UTC
 * @returns the work to do again
 */
export async function fire(stage: Stage, kind: FanOutKind, time: string): Promise<UndoneOfTick[]> {
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
export async function dailyTick(stage: Stage, time: string, reported: Day): Promise<UndoneOfTick[]> {
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
export function doAgain(stage: Stage, undone: readonly UndoneOfTick[]): Promise<UndoneOfTick[]> {
  return stage.weather.calmly(async () => {
    const left: UndoneOfTick[] = [];
    for (const one of undone) {
      if ('statement' in one) {
        stage.counts.other.add('statements done again');
        if (!(await isStatedAgain(stage, one))) left.push(one);
      } else {
        stage.counts.other.add('executions done again');
        left.push(...(await execute(stage, one.event, one.tick)));
      }
    }
    return left;
  });
}

/** Whether a statement succeeded when a person made it again. Without faults it must. */
async function isStatedAgain(
  { executions, weather, broken }: Stage,
  { statement, tick }: Extract<UndoneOfTick, { statement: unknown }>,
): Promise<boolean> {
  try {
    await executions.state(statement, tick);
    return true;
  } catch (error) {
    if (!(error instanceof FunctionFailure)) throw error;
    if (weather.isClear) {
      broken.push({ what: `a statement of ${tick} failed without any fault: ${error.message}` });
    }
    return false;
  }
}

/** A tick of the alert checks, and its results. */
export async function alertTick(stage: Stage, time: string): Promise<void> {
  const { weather, book, alerts, broken } = stage;
  weather.worsen(`alert ${time}`, registeredCodes(stage));
  await fire(stage, 'alert', time);
  weather.clear();
  broken.push(...(await alerts.look(time, book.merchants, weather.isCalm)));
}
