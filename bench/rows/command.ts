import { fork } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import { runMeasured } from '../command/run-command.ts';
import type { ManyMerchants } from '../command/many-merchants.worker.ts';
import { DAY, milliseconds, seconds } from './row.ts';
import type { Row } from './row.ts';

/** The most processor time of `daybook --help`, milliseconds. */
const HELP_BOUND = 150;
const HELP_TURNS = 9;
/** The longest that `daybook status` may take, milliseconds. */
const STATUS_BOUND = 20_000;
const LATENCY = 15;
const MERCHANTS = 10_000;

async function help(): Promise<Row> {
  const times: number[] = [];
  // The first turn writes the compile cache, as the first start on a machine does.
  for (let turn = 0; turn <= HELP_TURNS; turn += 1) times.push((await runMeasured(['--help'])).cpu);
  const sorted = times.slice(1).sort((one, other) => one - other);
  const median = sorted[Math.floor(HELP_TURNS / 2)] ?? Number.NaN;
  return {
    measured: `processor time of "daybook --help", as a share of ${HELP_BOUND} ms`,
    ratio: median / HELP_BOUND,
    bound: { atMost: 1 },
    detail: `${milliseconds(median)}, median of ${HELP_TURNS}; ${milliseconds(times[0] ?? Number.NaN)} at the first start`,
  };
}

async function status(): Promise<Row> {
  const task: ManyMerchants = { merchants: MERCHANTS, latency: LATENCY, day: DAY };
  const worker = fileURLToPath(new URL('../command/many-merchants.worker.ts', import.meta.url));
  const child = fork(worker, [JSON.stringify(task)], { execArgv: ['--disable-warning=ExperimentalWarning'] });
  try {
    const [directory] = (await once(child, 'message')) as [string];
    const args = ['status', '--day', DAY, '--json', '--local', '--directory', directory];
    const run = await runMeasured(args);
    child.send('requests');
    const [seen] = (await once(child, 'message')) as [{ requests: number; most: number }];
    const { counts } = JSON.parse(run.stdout) as { counts: { delivered: number } };
    if (counts.delivered !== MERCHANTS) throw new Error(`${counts.delivered} of ${MERCHANTS} are delivered`);
    return {
      measured: `"daybook status" of ${MERCHANTS.toLocaleString('en')} merchants, ${LATENCY} ms a request, as a share of ${seconds(STATUS_BOUND)}`,
      ratio: run.milliseconds / STATUS_BOUND,
      bound: { atMost: 1 },
      detail: `${seconds(run.milliseconds)}; processor ${seconds(run.cpu)}; ${seen.requests.toLocaleString('en')} requests, at most ${seen.most} in flight`,
    };
  } finally {
    child.disconnect();
    await once(child, 'exit');
  }
}

/** What the operator's command takes: to say what it can do, and to look at every merchant. */
export async function command(): Promise<Row[]> {
  return [await help(), await status()];
}
