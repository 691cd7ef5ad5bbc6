import { DaybookError } from '#records/errors/daybook-error.ts';
import { membersOf, textLike } from '#support/assertions/index.ts';
import { pageWorkerOf, pass, send, sourceOf } from '#support/queues/queues.ts';
import { lambdaContext } from '#support/runtime/lambda-context.ts';
import { CODE, DAY, useWorld } from '#support/world/daybook-world.ts';

const DAYS = ['2026-11-16', '2026-11-17', '2026-11-18', '2026-11-19', DAY];
const MORNING = {
  merchantCode: CODE,
  days: [DAY, '2026-11-19', '2026-11-17'],
  send: true,
  scheduledTime: '2026-11-21T03:00:00.000Z',
};
const ONE_DAY = { ...MORNING, days: [DAY] };

const world = useWorld();

/** Has the name of one of our errors. */
class Failed extends DaybookError {
  override readonly name: string;

  constructor(name: string) {
    super(`the ${name}`);
    this.name = name;
  }
}

/** Reports a day by this in place of a pull. */
function reporting(report: (day: string) => unknown) {
  return pageWorkerOf(world, {
    report: async (event) => {
      await report(String(membersOf(event)['day']));
    },
  });
}

function failing(...names: string[]) {
  const left = names.values();
  return reporting(() => {
    throw new Failed(left.next().value ?? 'too many days');
  });
}

/** A message, until none is visible. */
function deliver(message: object, work = pageWorkerOf(world)): Promise<void> {
  send(world, 'reports', message);
  return sourceOf(world, 'reports', work).drain();
}

/** A source whose runs have time for two days each. @returns the days of each run, too */
function withoutTimeForAll(report: (day: string) => void = () => undefined) {
  const runs: string[][] = [];
  const source = sourceOf(world, 'reports', (event) => {
    const run: string[] = [];
    runs.push(run);
    const getRemainingTimeInMillis = () => 100_000 - 30_000 * run.length;
    const work = reporting((day) => {
      run.push(day);
      report(day);
    });
    return work(event, lambdaContext({ getRemainingTimeInMillis }));
  });
  return { source, runs };
}

/** Each message of the reports: how often it was received, and the seconds until it is visible. */
function waiting(): { receives: number; seconds: number }[] {
  return world.aws.queues.messages(world.queues.nameOf('reports')).map(({ visibleAt, receives }) => ({
    receives,
    seconds: (visibleAt - world.clock.now()) / 1_000,
  }));
}

describe('a message of days', () => {
  it('is done day after day, each sealed and mailed once', async () => {
    await deliver(MORNING);
    const sealed = MORNING.days.map((day) => `days/day=${day}/merchant=${CODE}/r0001.json`);
    expect(world.keys('days/')).toEqual(sealed.toReversed());
    expect(world.mails('report').map(({ tags }) => tags['day'])).toEqual(MORNING.days);
    expect(waiting()).toEqual([]);
  });

  it('leaves the rest as a message of its own when half of the time is gone before another day', async () => {
    const { source, runs } = withoutTimeForAll();
    send(world, 'reports', { ...MORNING, days: DAYS });
    await source.drain();
    expect(runs).toEqual([DAYS.slice(0, 2), DAYS.slice(2, 4), DAYS.slice(4)]);
    expect(waiting()).toEqual([]);
  });

  it('without time for all comes back with the days that failed: another run does the rest meanwhile', async () => {
    const { source, runs } = withoutTimeForAll((day) => {
      if (day === DAYS[0]) throw new Failed('StorageError');
    });
    send(world, 'reports', { ...MORNING, days: DAYS });
    await source.drain();
    expect(runs).toEqual([DAYS.slice(0, 2), DAYS.slice(2, 4), DAYS.slice(4)]);
    expect(world.queues.sent('reports')).toEqual([{ ...MORNING, days: DAYS.slice(0, 1) }]);
    expect(waiting()[0]?.seconds).toBeGreaterThan(115);
    for (let receive = 1; receive <= 3; receive += 1) {
      pass(world, 31);
      await source.drain();
    }
    expect(runs.slice(3)).toEqual([[DAYS[0]], [DAYS[0]], [DAYS[0]]]);
    expect(waiting()).toEqual([]);
    expect(world.queues.dead('reports')).toMatchObject([{ message: { days: [DAYS[0]] } }]);
  });

  it('without time for all is put aside with the days that failed', async () => {
    const { source, runs } = withoutTimeForAll((day) => {
      if (day === DAYS[1]) throw new Failed('LoginRefusedError');
    });
    send(world, 'reports', { ...MORNING, days: DAYS });
    await source.drain();
    expect(runs.flat()).toEqual(DAYS);
    expect(waiting()).toEqual([]);
    expect(world.queues.dead('reports')).toMatchObject([{ message: { days: [DAYS[1]] } }]);
  });

  it('that comes back pulls only what is not done', async () => {
    const report = world.coldStart();
    const broken = new Set(['2026-11-19']);
    const work = pageWorkerOf(world, {
      report: (event) => {
        if (broken.delete(String(membersOf(event)['day']))) throw new Failed('StorageError');
        return report(event);
      },
    });
    const source = sourceOf(world, 'reports', work);
    send(world, 'reports', MORNING);
    await source.drain();
    expect(waiting()).toHaveLength(1);
    expect(world.keys('days/')).toHaveLength(2);
    const earlier = world.payments.requests.length;
    pass(world, 10);
    await source.drain();
    const asked = world.payments.requests.slice(earlier).filter(({ operation }) => operation === 'invoices');
    expect([...new Set(asked.map(({ query }) => query['fromDate']))]).toEqual(['2026-11-19']);
    expect(world.keys('days/')).toHaveLength(3);
    expect(world.mails('report')).toHaveLength(3);
    expect(waiting()).toEqual([]);
  });
});

describe('a message that failed', () => {
  it.each([
    ['StorageError', 1, 120, 360],
    ['RateLimitedError', 1, 120, 360],
    ['RateLimitedError', 2, 600, 1_800],
    ['SealContestedError', 1, 30, 90],
    ['SealContestedError', 2, 30, 90],
  ])('with %s at receive %i comes back after %i to %i seconds', async (name, receives, least, most) => {
    send(world, 'reports', ONE_DAY);
    const source = sourceOf(world, 'reports', (event) => failing(name)(event));
    for (let receive = 1; receive <= receives; receive += 1) {
      await source.drain();
      if (receive < receives) pass(world, 31);
    }
    const [message] = waiting();
    expect(message?.receives).toBe(receives);
    expect(message?.seconds).toBeGreaterThan(least - 5);
    expect(message?.seconds).toBeLessThanOrEqual(most);
    expect(world.queues.dead('reports')).toEqual([]);
  });

  it('comes back when any of its days may be mended by time', async () => {
    await deliver({ ...MORNING, days: [DAY, '2026-11-19'] }, failing('LoginRefusedError', 'StorageError'));
    expect(waiting()).toHaveLength(1);
  });

  it.each(['LoginRefusedError', 'UnknownMerchantError', 'SecretError'])(
    'with %s is put aside at once, with its reason',
    async (name) => {
      const message = { ...MORNING, days: [DAY, '2026-11-19'] };
      await deliver(message, failing(name, name));
      expect(waiting()).toEqual([]);
      const reason = `${DAY}: ${name}: the ${name}; 2026-11-19: ${name}: the ${name}`;
      expect(world.queues.dead('reports')).toEqual([{ message, reason }]);
    },
  );

  it.each([
    [400, 'ThrottlingException'],
    [500, 'InternalServiceError'],
  ])('because Secrets Manager failed for now (%i %s) comes back', async (status, code) => {
    const action = { kind: 'error', status, code } as const;
    world.awsDoes(action, { service: 'secretsManager', times: Infinity });
    await deliver(ONE_DAY);
    expect(waiting()).toMatchObject([{ receives: 1 }]);
    expect(world.queues.dead('reports')).toEqual([]);
  });

  it('because the secret may not be read is put aside at once', async () => {
    const action = { kind: 'error', status: 400, code: 'AccessDeniedException' } as const;
    world.awsDoes(action, { service: 'secretsManager', times: Infinity });
    await deliver(ONE_DAY);
    expect(world.queues.dead('reports')).toMatchObject([{ reason: textLike(/AccessDeniedException/) }]);
  });

  it('at its last receive is put aside with its reason', async () => {
    send(world, 'reports', ONE_DAY);
    const source = sourceOf(world, 'reports', (event) => failing('StorageError')(event));
    for (let receive = 1; receive <= 3; receive += 1) {
      expect(world.queues.dead('reports')).toEqual([]);
      await source.drain();
      pass(world, 31);
    }
    expect(waiting()).toEqual([]);
    expect(world.queues.dead('reports')).toMatchObject([
      { reason: `${DAY}: StorageError: the StorageError` },
    ]);
  });

  it.each([
    [{ merchantCode: CODE }, /^the message: InvalidEventError: /],
    [{ merchantCode: CODE, days: ['yesterday'] }, /^the message: InvalidEventError: /],
    [{ merchantCode: CODE, period: 'some time' }, /^the message: InvalidPeriodError: /],
    [{ merchantCode: '700009', days: [DAY] }, /^2026-11-20: UnknownMerchantError: /],
  ])('because it cannot be understood is put aside at once: %j', async (message, reason) => {
    await deliver(message);
    expect(waiting()).toEqual([]);
    expect(world.queues.dead('reports')).toEqual([{ message, reason: textLike(reason) }]);
  });

  it('comes back when its visibility ends if SQS fails, and nothing is lost', async () => {
    world.awsDoes({ kind: 'error', status: 403, code: 'AccessDenied' }, { service: 'sqs', times: Infinity });
    await deliver(ONE_DAY, failing('LoginRefusedError'));
    expect(world.queues.dead('reports')).toEqual([]);
    expect(waiting()[0]?.seconds).toBeGreaterThan(15 * 60);
  });
});
