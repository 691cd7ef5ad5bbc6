import {
  ListExecutionsCommand,
  SFNClient,
  StartExecutionCommand,
  StopExecutionCommand,
} from '@aws-sdk/client-sfn';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { stateMachineArn } from '#bin/local/serving/local-stage.ts';
import { manifestKey } from '#records/storage/keys.ts';
import { defined } from '#support/assertions/defined.ts';
import { textWith } from '#support/assertions/text-with.ts';
import { textLike } from '#support/assertions/text-like.ts';
import { startCommandStage } from '#support/command/command-stage.ts';
import type { CommandStage } from '#support/command/command-stage.ts';
import { documentOf, runCommand, runProcess } from '#support/command/run-command.ts';
import { CTRL_C, runOnTerminal } from '#support/command/run-on-terminal.ts';

const MERCHANTS = ['700001', '700002', '700003'];
const REPORTS = stateMachineArn('reports');
const EXECUTION = /arn:aws:states:[\w:-]+:execution:daybook-local-reports:[\w-]+/;

let stage: CommandStage;
let sfn: SFNClient;
const backfill = (args: readonly string[]) => runCommand(['backfill', ...stage.options, ...args]);

beforeAll(async () => {
  stage = await startCommandStage({ merchants: MERCHANTS.length });
  await stage.world.putEmptyHistories();
  sfn = new SFNClient();
});
beforeEach(() => {
  stage.world.payments.behaviour.faults.clear();
  stage.world.payments.behaviour.latencyMilliseconds = 0;
});
afterAll(async () => {
  sfn.destroy();
  await stage.close();
});

async function executions() {
  const { executions: all = [] } = await sfn.send(new ListExecutionsCommand({ stateMachineArn: REPORTS }));
  return all;
}

describe('daybook backfill', () => {
  it('seals every day of every merchant without a mail, and says beforehand how many that is', async () => {
    const days = ['2026-11-01', '2026-11-02'];
    const run = await backfill(['--from', '2026-11-01', '--to', '2026-11-02']);
    expect(run).toMatchObject({ code: 0 });
    expect(run.stderr).toContain(
      '3 merchants, 2 days each (2026-11-01 to 2026-11-02): 6 reports, without mail',
    );
    expect(run.stderr).toMatch(EXECUTION);
    expect(run.stdout).toMatch(/^3 of 3 merchants are done: every day is sealed/m);
    const sealed = days.flatMap((day) => MERCHANTS.map((code) => manifestKey(day, code, 1)));
    for (const key of sealed) expect(stage.world.keys(key)).toEqual([key]);
    expect(stage.world.mails('report')).toEqual([]);
    expect(stage.invocations.filter(({ name }) => name === 'daily-report')).toHaveLength(6);
  });

  it('takes some merchants only, mails with --send, and prints one document with --json', async () => {
    const range = ['--from', '2026-11-05', '--to', '2026-11-05'];
    const words = [...range, '--merchant', '700003,700001', '--send', '--json'];
    expect(await backfill(words)).toMatchObject({ code: 2, stderr: textWith('give --yes') });
    const run = await backfill([...words, '--yes']);
    expect(run).toMatchObject({ code: 0 });
    expect(documentOf(run)).toMatchObject({
      stage: 'local',
      status: 'SUCCEEDED',
      executionArn: textLike(EXECUTION),
      merchants: 2,
      succeeded: 2,
      failed: [],
    });
    expect(
      stage.world
        .mails('report')
        .map(({ tags }) => tags['merchant'])
        .sort(),
    ).toEqual(['700001', '700003']);
  });

  it('ends with what failed: merchant, day and error, from the results of the last round', async () => {
    stage.world.payments.behaviour.faults.add({
      merchantCode: '700002',
      times: Infinity,
      action: { kind: 'status', status: 403 },
    });
    const range = ['--from', '2026-11-07', '--to', '2026-11-08'];
    const run = await backfill(range);
    expect(run.code).toBe(1);
    const lines = run.stdout.split('\n').map((line) => line.split(/ {2,}/));
    expect(lines).toContainEqual(['700002', '2026-11-07', 'LoginRefusedError']);
    expect(lines).toContainEqual(['700002', '2026-11-08', 'LoginRefusedError']);
    expect(run.stdout).not.toContain('700001');
    expect(run.stdout).toMatch(/^2 of 3 merchants are done, 1 failed/m);

    const document = documentOf(await backfill([...range, '--json']));
    expect(document).toMatchObject({
      status: 'FAILED',
      error: 'MerchantsStillFailing',
      merchants: 3,
      succeeded: 2,
      failed: [
        { merchantCode: '700002', day: '2026-11-07', error: 'LoginRefusedError' },
        { merchantCode: '700002', day: '2026-11-08', error: 'LoginRefusedError' },
      ],
    });
  });

  it('goes on without the person who presses Ctrl-C, and --watch takes it up again', async () => {
    stage.world.payments.behaviour.latencyMilliseconds = 300;
    let isSent = false;
    const run = await runProcess(
      ['backfill', ...stage.options, '--from', '2026-11-10', '--to', '2026-11-11'],
      {
        onOutput: (written, signal) => {
          if (!isSent && EXECUTION.test(written)) signal('SIGINT');
          isSent ||= EXECUTION.test(written);
        },
      },
    );
    expect(run.code).toBe(130);
    const line = defined(/npx daybook backfill (--watch .+)$/m.exec(run.stderr)?.[1]);
    expect(line).toContain(`--local --directory ${stage.directory}`);
    expect((await executions())[0]).toMatchObject({ status: 'RUNNING' });

    stage.world.payments.behaviour.latencyMilliseconds = 0;
    const watched = await runCommand(['backfill', ...line.split(' ')]);
    expect(watched).toMatchObject({ code: 0 });
    expect(watched.stdout).toMatch(/^3 of 3 merchants are done/m);
    expect((await executions())[0]).toMatchObject({ status: 'SUCCEEDED' });
    // An execution that has ended can be looked at again.
    const arn = defined(EXECUTION.exec(line)?.[0]);
    expect(await backfill(['--watch', arn])).toMatchObject({ code: 0, stdout: watched.stdout });
  });

  it('shows a bar in a terminal, where Ctrl-C is a key, and ends in the same way', async () => {
    stage.world.payments.behaviour.latencyMilliseconds = 300;
    const range = ['--from', '2026-11-14', '--to', '2026-11-15'];
    const { code, written, raw } = await runOnTerminal(
      ['backfill', ...stage.options, ...range],
      [['Reporting the merchants: 0 of 3', CTRL_C]],
    );
    expect(code).toBe(130);
    expect(written).toContain('npx daybook backfill --watch arn:');
    // The cursor is shown again.
    expect(raw.lastIndexOf('\u001B[?25h')).toBeGreaterThan(raw.lastIndexOf('\u001B[?25l'));
    const [newest] = await executions();
    expect(newest).toMatchObject({ status: 'RUNNING' });
    await sfn.send(new StopExecutionCommand({ executionArn: newest?.executionArn }));
  });

  it('shows the days of few merchants, which Step Functions does not count', async () => {
    stage.world.payments.behaviour.latencyMilliseconds = 120;
    const range = ['--from', '2026-11-16', '--to', '2026-11-18', '--merchant', '700001'];
    const { code, written } = await runOnTerminal(['backfill', ...stage.options, ...range]);
    expect(code).toBe(0);
    expect(written).toMatch(/Reporting the days: [12] of 3/);
    expect(written).toContain('1 of 1 merchants are done');
  });

  it('asks in a terminal, and starts nothing after a no', async () => {
    const before = (await executions()).length;
    const { code, written } = await runOnTerminal(
      ['backfill', ...stage.options, '--from', '2026-05-01', '--to', '2026-11-01'],
      [['Start it', 'n']],
    );
    expect(code).toBe(130);
    expect(written).toContain('nothing was started');
    expect(await executions()).toHaveLength(before);
  });

  it('says that an execution was stopped, and by what', async () => {
    stage.world.payments.behaviour.latencyMilliseconds = 300;
    const { executionArn } = await sfn.send(
      new StartExecutionCommand({
        stateMachineArn: REPORTS,
        input: JSON.stringify({ kind: 'daily', from: '2026-11-12', to: '2026-11-12' }),
      }),
    );
    const watching = backfill(['--watch', defined(executionArn)]);
    await sfn.send(new StopExecutionCommand({ executionArn, cause: 'too early' }));
    const { code, stdout } = await watching;
    expect({ code, stdout }).toEqual({ code: 1, stdout: textLike(/was stopped: too early/) });
  });

  it('asks before more than 500 reports, and a pipe cannot answer', async () => {
    const before = (await executions()).length;
    const run = await backfill(['--from', '2026-05-01', '--to', '2026-11-01']);
    expect(run).toMatchObject({ code: 2, stdout: '' });
    expect(run.stderr).toContain('3 merchants, 185 days each (2026-05-01 to 2026-11-01): 555 reports');
    expect(run.stderr).toMatch(/give --yes/);
    expect(await executions()).toHaveLength(before);
  });

  it.each([
    [[], 2, /--from and --to/],
    [['--from', '2026-11-01'], 2, /--from and --to/],
    [['--from', '2026-11-31', '--to', '2026-12-01'], 2, /--from is not a date/],
    [['--from', '2026-11-02', '--to', '2026-11-01'], 2, /--to is before --from/],
    [['--from', '2025-11-02', '--to', '2026-11-05'], 1, /at most 366 days/],
    [['--from', '2026-11-02', '--to', '2026-11-29'], 1, /has not begun yet/],
    [['--from', '2026-11-01', '--to', '2026-11-01', '--merchant', '799999'], 1, /799999.*no such merchant/],
    [['--from', '2026-11-01', '--to', '2026-11-01', '--merchant', 'a b'], 2, /--merchant .*"a b"/],
    [['--watch', 'arn:aws:states:us-east-1:0:execution:other:one'], 2, /not an execution of/],
    [['--watch', `${REPORTS.replace('stateMachine', 'execution')}:none`], 1, /there is no execution/],
    [['--watch', 'x', '--from', '2026-11-01'], 2, /--watch .*alone/],
    [['--frum', '2026-11-01'], 2, /--from/],
  ])('refuses %j in one line', async (args, code, line) => {
    const run = await backfill(args);
    expect(run).toMatchObject({ code, stdout: '' });
    expect(run.stderr).toMatch(line);
    expect(run.stderr).not.toContain('    at ');
  });
});
