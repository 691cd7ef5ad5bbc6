import { queueNameOf } from '#bin/local/configuration.ts';
import { checkedKey, ledgerKey } from '#records/storage/keys.ts';
import { textLike } from '#support/assertions/index.ts';
import { useStage } from '#support/command/command-stage.ts';
import { documentOf, refuses, says, CTRL_C, runOnTerminal } from '#support/command/run-command.ts';
import { removeFromRegistry, watch } from '#support/watch/running-watch.ts';
import { BUCKET, CODE, DAY } from '#support/world/daybook-world.ts';

const SECOND = '700002';
const THIRD = '700003';

// Half past seven in Kuwait: an hour and a half after the reports were due.
const stage = useStage('each', { merchants: 3, startAt: '2026-11-21T04:30:00.000Z' }, (stage) => {
  for (const code of [CODE, SECOND, THIRD]) {
    stage.world.payments.data.seedDay(code, DAY, { invoices: 4, refunds: 1 });
  }
});

/** How often the command asked for the record of a pull. */
const reads = (merchantCode: string) => () =>
  stage.aws.requests.filter(({ key }) => key === checkedKey(DAY, merchantCode)).length;

const status = (...args: string[]) => stage.run('status', ...args);

/** Changes the second merchant's ledger, as an event or a crash would. */
async function settleSecond(state: string): Promise<void> {
  const ledger = await stage.world.ledger(1, SECOND);
  const recipients = ledger.recipients.map((entry) => ({ ...entry, status: state }));
  const key = ledgerKey(DAY, SECOND, 1);
  await stage.aws.s3.write(BUCKET, key, JSON.stringify({ ...ledger, status: state, recipients }));
}

describe('daybook status', () => {
  it('counts the reports of yesterday, then lists what needs a look, with the reason', async () => {
    await stage.world.report();
    await stage.world.report({ merchantCode: SECOND });
    await settleSecond('held');
    const run = await says(
      status(),
      1,
      /^Reports of 2026-11-20 on local\n/,
      /expected +3\n +sealed +2\n +balanced +2\n +mailed +1\n +held +1\n +missing +1\n/,
      /700002 .*held +r1 +yes +held +mail held/,
      /700003 .*missing +- +- +- +no run/,
      'Look at the schedules',
      `npx daybook why ${SECOND} ${DAY} --local --directory ${stage.directory}\n`,
    );
    expect([run.stderr, run.stdout.includes(`${CODE} `)]).toEqual(['', false]);
  });

  it('agrees with delivery-watch about who is expected and what is missing', async () => {
    await stage.world.report();
    await stage.world.report({ merchantCode: SECOND });
    await settleSecond('bounced');
    await removeFromRegistry(stage.world, SECOND);
    const removed = `\nRemoved from the registry, with a page of the last 14 days: ${SECOND}\n`;
    await says(status('--day', DAY), 1, removed);
    const answer = await watch(stage.world, { now: '2026-11-21T04:30:00.000Z', day: DAY });
    expect(answer.missing).toHaveLength(2);
    const sealed = { revision: 1, sealed: true, balanced: true };
    const first = { merchantCode: CODE, removed: false, state: 'mailed', ...sealed, mail: 'accepted' };
    expect(documentOf(await says(status('--json', '--day', DAY), 1))).toMatchObject({
      stage: 'local',
      days: [DAY],
      counts: { expected: answer.expected, missing: 1, bounced: 1 },
      merchants: [first, ...answer.missing],
    });
  });

  it('is quiet and ends with 0 when every report arrived, and lists all of them with --all', async () => {
    for (const merchantCode of [CODE, SECOND, THIRD]) await stage.world.report({ merchantCode });
    await settleSecond('delivered');
    const quiet = await says(status(), 0, 'None of them needs a look.');
    expect([quiet.stderr, quiet.stdout.includes('700001')]).toEqual(['', false]);
    const arrived = [/700001 .*mailed +r1 +yes +accepted/, /700002 .*delivered +r1 +yes +delivered/];
    await says(status('--all'), 0, ...arrived);
    const recipients = [`owner-${SECOND}@merchants.example`, 'new@merchants.example'];
    await stage.world.putRegistry({ [SECOND]: { recipients } });
    const some = /700002 .*delivered +r1 +yes +delivered, 1 of 2/;
    await says(status('--all'), 0, /of these not to all +1\n/, some);
  });

  it('says what a pull ended with, how often it was tried and until when it is tried again', async () => {
    const { faults } = stage.world.payments.behaviour;
    faults.add({ operation: 'invoices', times: Infinity, action: { kind: 'status', status: 403 } });
    const scheduledTime = '2026-11-21T03:00:00Z';
    await expect(stage.world.report({ scheduledTime })).rejects.toThrow();
    stage.aws.queues.send(queueNameOf('reports'), '{}');
    stage.aws.queues.send(`${queueNameOf('alerts')}-dead`, '{}');
    await says(
      status(),
      1,
      /pull failed: ForbiddenError; invoice list .*HTTP 403\); tried 1 time; again by 2026-11-21 04:51/,
      'Queue reports: 1 message to be done, 0 put aside\nQueue alerts: 0 messages to be done, 1 put aside\n',
      'npx daybook redrive --local',
    );
    expect(documentOf(await status('--json'))).toMatchObject({
      merchants: [{ failure: { tries: 1 }, nextTry: { until: textLike(/^2026-11-21T04:51/) } }, {}, {}],
      queues: [{ name: 'reports', waiting: 1 }, { name: 'backfills' }, { name: 'alerts', putAside: 1 }],
    });
  });

  it('follows a morning until no report is waited for', async () => {
    stage.setTime('2026-11-21T03:10:00.000Z');
    for (const merchantCode of [CODE, SECOND]) await stage.world.report({ merchantCode });
    const run = status('--watch');
    await expect.poll(reads(THIRD), { timeout: 20_000 }).toBeGreaterThan(1);
    await stage.world.report({ merchantCode: THIRD });
    await says(run, 0, /mailed +3\n/);
  });

  it('ends the watching with Ctrl-C, in a terminal', async () => {
    stage.setTime('2026-11-21T02:10:00.000Z');
    const { code, written } = await runOnTerminal(
      ['status', '--watch', ...stage.options],
      [['0 of 3 reports done, 3 may still come', CTRL_C]],
    );
    expect([code, written.includes('Reports of')]).toEqual([130, false]);
  });

  it('waits for a report that is not due yet', async () => {
    stage.setTime('2026-11-21T02:00:00.000Z');
    expect(documentOf(await says(status('--json'), 0))).toMatchObject({
      counts: { expected: 3, missing: 0, waiting: 3 },
      merchants: [{ state: 'waiting', isDue: false, reason: 'no run' }, {}, {}],
    });
  });

  it('takes the yesterday of each merchant’s zone', async () => {
    await stage.world.putRegistry({ [SECOND]: { timeZone: 'Pacific/Honolulu' } });
    expect(documentOf(await status('--json'))).toMatchObject({
      days: ['2026-11-19', DAY],
      merchants: [{ day: DAY }, { merchantCode: SECOND, day: '2026-11-19' }, { day: DAY }],
    });
  });

  it('names the object that cannot be read, and goes on, but not without a registry', async () => {
    await stage.world.report();
    await stage.aws.s3.write(BUCKET, ledgerKey(DAY, CODE, 1), 'not JSON');
    const run = await says(status(), 1, /700001 .*missing .*records not readable/, /700003 .*no run/);
    expect(run.stderr).toContain(ledgerKey(DAY, CODE, 1));
    await stage.aws.s3.remove(BUCKET, 'config/merchants.json');
    await refuses(status(), 1, /^RegistryError: .*config\/merchants\.json.*\n$/);
  });

  it.each([
    ['2026-02-30', 'the day must be a date (YYYY-MM-DD), "yesterday" or "today", given "2026-02-30"'],
    ['2026-12-01', 'the day 2026-12-01 has not begun'],
  ])('does not take the day %s', (day, message) => refuses(status('--day', day), 2, message));
});

describe('many merchants', () => {
  const AT_ONCE = 64;

  /** Stores the day of this many merchants, each with a report that was mailed, and a registry of them alone. */
  async function storeMany(count: number): Promise<void> {
    const entries = Array.from({ length: count }, (_, index) => ({
      merchantCode: `8${String(index).padStart(5, '0')}`,
      recipients: ['owner@merchants.example'],
    }));
    await stage.world.report();
    const manifest = `days/day=${DAY}/merchant=${CODE}/r0001.json`;
    const keys = [manifest, ledgerKey(DAY, CODE, 1), `checked/day=${DAY}/merchant=${CODE}.json`];
    const texts = await Promise.all(keys.map((key) => stage.world.text(key)));
    for (const { merchantCode } of entries) {
      for (const [index, key] of keys.entries()) {
        const text = texts[index]?.replaceAll(CODE, merchantCode) ?? '';
        await stage.aws.s3.write(BUCKET, key.replace(CODE, merchantCode), text);
      }
    }
    await stage.aws.s3.remove(BUCKET, manifest);
    const registry = { service: { baseUrl: stage.world.payments.origin }, defaults: {}, merchants: entries };
    await stage.aws.s3.write(BUCKET, 'config/merchants.json', JSON.stringify(registry));
  }

  /**
   * Holds the first reads until as many are under way as there can be.
   *
   * @returns gives the most that were under way at a time
   */
  function holdUntilAllAreUnderWay(): () => number {
    let [underWay, most] = [0, 0];
    const gate = Promise.withResolvers<undefined>();
    // If they never are, the test fails because of their number.
    const givenUp = setTimeout(() => gate.resolve(undefined), 6_000);
    stage.aws.faults.add({
      operation: 'GetObject',
      key: /^(mail|checked)\//,
      times: Infinity,
      action: {
        kind: 'call',
        before: async () => {
          most = Math.max(most, (underWay += 1));
          if (underWay === AT_ONCE) gate.resolve(undefined);
          await gate.promise;
        },
        after: () => {
          underWay -= 1;
        },
      },
    });
    return () => {
      clearTimeout(givenUp);
      return most;
    };
  }

  const requestsSince = (before: number, operation: string) =>
    stage.aws.requests.slice(before).filter((one) => one.service === 's3' && one.operation === operation)
      .length;

  it(
    'are read by listings and two requests each, as many at once as one client may have',
    { timeout: 60_000 },
    async () => {
      // A page of a listing has as many keys.
      await storeMany(1_000);
      const before = stage.aws.requests.length;
      const mostUnderWay = holdUntilAllAreUnderWay();
      const run = await status('--json');
      expect(mostUnderWay()).toBe(AT_ONCE);
      expect(documentOf(run)).toMatchObject({ counts: { expected: 1_000, mailed: 1_000 } });
      // Two objects of each merchant, the registry and its last good copy.
      expect(requestsSince(before, 'GetObject')).toBe(2 * 1_000 + 2);
      // One page for the day, and one for each of the fourteen days in which a removed merchant may have been sealed.
      expect(requestsSince(before, 'ListObjectsV2')).toBe(15);
    },
  );
});
