import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import * as z from 'zod';
import { startCommandStage } from '#support/command/command-stage.ts';
import type { CommandStage } from '#support/command/command-stage.ts';
import { documentOf, runCommand } from '#support/command/run-command.ts';
import { CODE, DAY } from '#support/world/daybook-world.ts';

const RULE = { name: 'unpaid', measure: 'unpaidCount', above: 0 };
const MACHINE = 'arn:aws:states:us-east-1:000000000000:stateMachine:daybook-local';
const FUNCTION = 'arn:aws:lambda:us-east-1:000000000000:function:daybook-local';

let stage: CommandStage;

const resultSchema = z.object({
  stage: z.string(),
  lines: z.array(z.object({ what: z.string(), dollars: z.number() })),
  dollarsADay: z.number(),
  dollarsAMonth: z.number(),
  use: z.record(z.string(), z.unknown()),
  sizes: z
    .object({
      day: z.string(),
      read: z.number(),
      sealed: z.number(),
      invoices: z.number(),
      bytes: z.number(),
    })
    .nullable(),
  statements: z
    .object({
      parts: z.array(
        z.object({
          what: z.string(),
          number: z.number().nullable(),
          made: z.number(),
          keptAMonth: z.number(),
        }),
      ),
    })
    .nullable(),
  assumed: z.array(z.string()),
});

async function cost(...args: readonly string[]) {
  const ran = await runCommand(['cost', '--json', ...args, ...stage.options]);
  expect(ran).toMatchObject({ code: 0, stderr: '' });
  return resultSchema.parse(documentOf(ran));
}

function outputsOf(stack: string): Record<string, string> {
  return stage.aws.stacks.get(`Daybook-local-${stack}`)?.outputs ?? {};
}

beforeAll(async () => {
  stage = await startCommandStage({ merchants: 3 });
  const names = outputsOf('Schedules')['Schedules']?.split(',') ?? [];
  const targets = [
    `${MACHINE}-reports:live`,
    `${MACHINE}-alerts:live`,
    `${FUNCTION}-delivery-watch:live`,
    `${FUNCTION}-sweep:live`,
  ];
  const minutes = ['0/15', '0/30', '10/15', '20'];
  for (const [index, name] of names.entries()) {
    stage.aws.schedules.set(name, {
      group: outputsOf('Schedules')['ScheduleGroup'] ?? '',
      state: 'ENABLED',
      expression: `cron(${minutes[index]} * * * ? *)`,
      target: targets[index] ?? '',
    });
  }
});
beforeEach(async () => {
  await stage.world.putRegistry({
    [CODE]: {
      alerts: [RULE],
      lookbackDays: [1],
      recipients: ['a@example.com', 'b@example.com'],
      attachCsv: true,
    },
    700002: { alerts: [{ name: 'wrong' }], lookbackDays: [] },
    700003: { lookbackDays: [1, 3, 7] },
  });
});
afterAll(() => stage.close());

describe('daybook cost', () => {
  it('counts merchants, days, mails, checks and ticks of the stage', async () => {
    Object.assign(outputsOf('Data'), { DataDays: '30' });
    Object.assign(outputsOf('Schedules'), { ReportsConcurrency: '50', AlertsConcurrency: '7' });
    const { use, sizes, assumed } = await cost();
    expect(use).toMatchObject({
      merchants: 3,
      days: 7,
      checkedMerchants: 1,
      mails: 4,
      mailsWithAttachments: 2,
      ticks: { daily: 96, alerts: 48, watch: 96, sweep: 24 },
      checksAtOnce: 7,
      secrets: 1,
      kept: 30,
    });
    expect(sizes).toBeNull();
    expect(assumed).toEqual([
      'no day is sealed yet: a merchant has 400 invoices a day, 138 kB',
      'a request to the payment service takes 40 ms (--latency), an alert check 1.5 s',
      'one merchant in twenty has a child of its own in the state machine, and the others share one by five',
      'lookback days are unchanged, no mail is sent twice, and nobody queries Athena',
      'the history is merged once a day, with every lookback day, and no group of analysts has a copy of it',
    ]);
  });

  it('says what it takes as usual when the stage does not say it', async () => {
    delete outputsOf('Data')['DataDays'];
    delete outputsOf('Schedules')['AlertsConcurrency'];
    const { Schedules: names = '' } = outputsOf('Schedules');
    outputsOf('Schedules')['Schedules'] = names.split(',').slice(0, 3).join();
    const { use, assumed } = await cost('--latency', '200');
    outputsOf('Schedules')['Schedules'] = names;
    expect(use).toMatchObject({ kept: 400, checksAtOnce: 20 });
    expect(assumed).toContain('the schedule of sweep could not be read: 24 runs a day are assumed');
    expect(assumed).toContain('files are kept 400 days');
    expect(assumed).toContain('50 reports and 20 alert checks run at the same time');
    expect(assumed.join()).toContain('takes 200 ms');
  });

  it('takes the sizes of the newest sealed day, and prints the bill with its sum', async () => {
    const { world } = stage;
    world.payments.data.seedDay(CODE, DAY, { invoices: 30, refunds: 2 });
    await world.report();
    const { sizes, lines, dollarsADay, dollarsAMonth } = await cost();
    expect(sizes).toMatchObject({ day: DAY, read: 1, sealed: 1, invoices: 30 });
    expect(sizes?.bytes).toBeGreaterThan(1_000);
    expect(dollarsADay).toBeCloseTo(lines.reduce((sum, { dollars }) => sum + dollars, 0));
    expect(dollarsAMonth).toBeCloseTo(dollarsADay * 30);
    const { stdout, code } = await runCommand(['cost', ...stage.options]);
    expect(code).toBe(0);
    expect(stdout).toMatch(/^merchants +3$/m);
    expect(stdout).toMatch(
      /^Sizes: 30 invoices and \d+ kB a merchant, the mean of 1 of 1 manifests of 2026-11-20$/m,
    );
    expect(stdout).toMatch(/^Metrics, alarms, dashboard, key +0\.8533 +25\.60$/m);
    expect(stdout).toMatch(/^together +0\.\d{4} +\d+\.\d\d$/m);
    expect(stdout).toMatch(/^List prices of 2026-11, us-east-1, without free tiers and taxes\. Assumed:$/m);
  });

  it('counts the statements of the registry in lines of their own, and the rest stays as it is', async () => {
    const before = await cost();
    expect(before.statements).toBeNull();
    expect(before.lines.map(({ what }) => what).join()).not.toContain('Statements');
    const monthly = { onDay: 1, at: '09:00' };
    await stage.world.putRegistry(
      {
        [CODE]: { statements: { monthly }, recipients: ['a@example.com'], lookbackDays: [1] },
        700002: { lookbackDays: [] },
        700003: { lookbackDays: [1, 3, 7] },
      },
      {},
      {
        groups: [{ name: 'shops', merchants: 'all', recipients: ['boss@example.com'], daily: true, monthly }],
      },
    );
    const { statements, lines, assumed } = await cost();
    const made = lines.filter(({ what }) => what.startsWith('Statements: '));
    expect(made.map(({ what }) => what)).toEqual([
      'Statements: Lambda',
      'Statements: Step Functions',
      'Statements: S3 requests',
      'Statements: looks of plan',
      'Statements: CloudWatch logs',
      'Statements: SES',
      'Statements: S3 storage',
    ]);
    const sum = (values: readonly number[]) => values.reduce((one, other) => one + other, 0);
    const parts = statements?.parts ?? [];
    expect(parts.map(({ number }) => number)).toEqual([3, 30, 1, null]);
    expect(sum(made.map(({ dollars }) => dollars * 30))).toBeCloseTo(
      sum(parts.map((part) => part.made + part.keptAMonth)),
      9,
    );
    expect(assumed.join()).toContain('a month has 30 days and 4.3 weeks');
    const { stdout } = await runCommand(['cost', ...stage.options]);
    expect(stdout).toMatch(
      /^Statements of 30 days +Number +USD to make and mail, once +USD a month to keep, of 400 days$/m,
    );
    expect(stdout).toMatch(/^statements of months +3 +0\.\d{4} +0\.\d{4}$/m);
    expect(stdout).toMatch(/^looks at what is due +- +\d\.\d{4} +0\.0000$/m);
  });

  it('refuses a latency that is no number', async () => {
    const ran = await runCommand(['cost', '--latency', 'fast', ...stage.options]);
    expect(ran.code).toBe(2);
    expect(ran.stderr).toMatch(/must be a whole number of milliseconds/);
  });
});
