import type { Day } from '#records/day/business-day.ts';
import { changeDay, daysStillPulled } from '../service/data-changes.ts';
import { registeredCodes, type PlanEvent, type Stage } from '../stage.ts';

/** Calls `plan`, as a schedule does. Without faults it must succeed. */
async function plan({ invoker, weather, broken, unplanned }: Stage, event: PlanEvent): Promise<void> {
  const tick = `${event.kind} ${event.scheduledTime}`;
  if ((await invoker.unattended('plan', event, tick)) !== undefined) return;
  unplanned.push(event);
  if (weather.isClear) broken.push({ what: `plan of ${tick} failed without any fault` });
}

/** Fires a schedule: usually once, sometimes twice, one after the other or at the same time. */
async function fire(stage: Stage, kind: PlanEvent['kind'], time: string): Promise<void> {
  const { world, draws, counts, weather } = stage;
  const tick = `${kind} ${time}`;
  stage.tell(tick);
  world.clock.jumpTo(time);
  const random = draws.of('schedule', tick);
  const atOnce = !weather.isCalm && random.chance(4);
  const again = !weather.isCalm && random.chance(5);
  counts.other.add('ticks', atOnce || again ? 2 : 1);
  const event: PlanEvent = { kind, scheduledTime: time };
  await Promise.all([plan(stage, event), atOnce && plan(stage, event)]);
  if (again && !atOnce) await plan(stage, event);
}

/** Delivers messages until then. What the worker puts aside says why; without faults, nothing is put aside. */
export async function deliver({ queues, weather, broken }: Stage, until: string): Promise<void> {
  for (const { body, attributes, deadLetterOf } of await queues.deliverUntil(until)) {
    const { reason } = attributes;
    // SQS itself moves what no run lived to answer.
    if (reason === undefined && deadLetterOf === undefined)
      broken.push({ what: `no reason is given: ${body}` });
    if (weather.isClear) broken.push({ what: `a message failed without any fault: ${body} ${reason ?? ''}` });
  }
}

/** The tick at which all merchants are due, with its faults and with changes at the same time. @param until when the faults end */
export async function dailyTick(stage: Stage, time: string, until: string, reported: Day): Promise<void> {
  const { weather, people } = stage;
  weather.worsen(`daily ${time}`, registeredCodes(stage));
  people.turnKeys();
  changesMeanwhile(stage, time, reported);
  await Promise.all([fire(stage, 'daily', time), fire(stage, 'statement', time)]);
  await deliver(stage, until);
  weather.clear();
  people.turnTheRest();
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

/** A person calls `plan` again and moves back what was put aside, without faults. What SES always refuses is put aside again. */
export function doAgain(stage: Stage, until: string): Promise<void> {
  return stage.weather.calmly(async () => {
    stage.queues.redrive();
    for (const event of stage.unplanned.splice(0)) {
      stage.counts.other.add('ticks planned again');
      await plan(stage, event);
    }
    await deliver(stage, until);
  });
}

/** A tick of the statements without faults, for what was reported late. */
export function statementTick(stage: Stage, time: string, until: string): Promise<void> {
  return stage.weather.calmly(async () => {
    await fire(stage, 'statement', time);
    await deliver(stage, until);
  });
}

/** A tick of the alert checks, and its results. @param until when the last check has come back */
export async function alertTick(stage: Stage, time: string, until: string): Promise<void> {
  const { weather, book, alerts, broken } = stage;
  weather.worsen(`alert ${time}`, registeredCodes(stage));
  await fire(stage, 'alert', time);
  await deliver(stage, until);
  weather.clear();
  broken.push(...(await alerts.look(time, book.merchants, weather.isCalm)));
}
