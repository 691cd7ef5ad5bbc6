import { GetScheduleCommand, SchedulerClient } from '@aws-sdk/client-scheduler';
import { requestHandler } from '#aws/aws-clients.ts';
import type { Stage } from '../stage/stage.ts';
import type { StageUse } from './model/stage-bill.ts';
import { HOURS_OF_DAY, MINUTES_OF_HOUR, cronValues } from '#lib/cron/cron-values.ts';

const HOURS = 24;
const MINUTES = 60;
const MINUTES_OF: Record<string, number> = { minute: 1, hour: MINUTES, day: MINUTES * HOURS };

/**
 * How often a schedule of EventBridge Scheduler runs in a day: `rate(15 minutes)`, `cron(0/15 * * * ? *)`. A cron expression
 * for some days only counts as one for every day.
 *
 * @returns `undefined` for any other text
 */
export function runsADay(expression: string): number | undefined {
  const [, every, unit = ''] = /^rate\((\d+) (minute|hour|day)s?\)$/.exec(expression) ?? [];
  const length = MINUTES_OF[unit];
  if (every !== undefined && length !== undefined) return (MINUTES * HOURS) / (Number(every) * length);
  const [, minute, hour] = /^cron\((\S+) (\S+)( \S+){4}\)$/.exec(expression) ?? [];
  if (minute === undefined || hour === undefined) return undefined;
  const minutes = cronValues(minute, MINUTES_OF_HOUR)?.size;
  const hours = cronValues(hour, HOURS_OF_DAY)?.size;
  return minutes === undefined || hours === undefined ? undefined : minutes * hours;
}

type Tick = keyof StageUse['ticks'];

/** Every quarter of an hour, as `lib/stages/prod.json` has it; the sweep each hour. */
const USUAL: StageUse['ticks'] = { daily: 96, alerts: 96, watch: 96, sweep: 24 };

/** How often the schedules of a stage run in a day, and which of them are assumed. */
export interface TickCounts {
  ticks: StageUse['ticks'];
  assumed: Tick[];
}

/** Reads the schedules. One that cannot be read is taken to run as usual. */
export async function tickCounts(stage: Stage): Promise<TickCounts> {
  const ticks = { ...USUAL };
  const assumed = new Set<Tick>(['daily', 'alerts', 'watch', 'sweep']);
  const hasScheduler = !stage.isLocal || process.env['AWS_ENDPOINT_URL_SCHEDULER'] !== undefined;
  if (!hasScheduler) return { ticks, assumed: [...assumed] };
  const client = new SchedulerClient({ maxAttempts: 4, requestHandler: requestHandler(8_000) });
  try {
    await Promise.all(
      stage.schedules.names.map(async (name) => {
        const {
          Target,
          ScheduleExpression = '',
          State,
        } = await client.send(new GetScheduleCommand({ GroupName: stage.schedules.group, Name: name }));
        const tick = tickOf(stage, Target?.Arn ?? '');
        const runs = State === 'DISABLED' ? 0 : runsADay(ScheduleExpression);
        if (tick === undefined || runs === undefined) return;
        ticks[tick] = runs;
        assumed.delete(tick);
      }),
    );
  } finally {
    client.destroy();
  }
  return { ticks, assumed: [...assumed] };
}

/** Which tick it is, by what it calls. */
function tickOf({ stateMachines, functions }: Stage, target: string): Tick | undefined {
  if (target === stateMachines.reports) return 'daily';
  if (target === stateMachines.alerts) return 'alerts';
  if (target.endsWith(`:${functions['delivery-watch']}`)) return 'watch';
  return target.endsWith(`:${functions.sweep}`) ? 'sweep' : undefined;
}
