import { GetScheduleCommand, SchedulerClient } from '@aws-sdk/client-scheduler';
import { requestHandler } from '#aws/aws-clients.ts';
import type { Stage } from '../stage/stage.ts';
import { runsADay } from './model/runs-a-day.ts';
import type { StageUse } from './model/stage-bill.ts';

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
