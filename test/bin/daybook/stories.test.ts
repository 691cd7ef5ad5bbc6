import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import * as z from 'zod';
import { queueNameOf } from '#bin/local/configuration.ts';
import { defined, membersOf } from '#support/assertions/index.ts';
import { useStage, REGISTRY, entryOf } from '#support/command/command-stage.ts';
import { documentOf, says, type CommandRun } from '#support/command/run-command.ts';
import { happensTo } from '#support/mail-events/running-mail-events.ts';
import { BUCKET, CODE, DAY, SECRET, runFunction } from '#support/world/daybook-world.ts';

type Stage = ReturnType<typeof useStage>;

/** The commands of a story, as docs/command.md lists them. Each call types the next one, perhaps with more words. */
function storyOn(stage: Stage, happened: string): (input?: string, ...more: string[]) => Promise<CommandRun> {
  const stories = readFileSync('docs/command.md', 'utf8').split(/\n+- |\n\n/);
  const story = defined(stories.find((each) => each.startsWith(`${happened}:`)));
  const commands = [...story.matchAll(/`daybook ([^`]+)`/g)].map(([, words = '']) => words.split(' '));
  const left = commands.values();
  return (input = '', ...more) => {
    const surroundings = { input, cwd: stage.directory };
    return stage.runIn(surroundings, ...defined(left.next().value), ...more, '--yes');
  };
}

describe('an operator is asked when', () => {
  const OWNER = 'owner@example.com';
  const TICK = '2026-11-21T03:00:00Z';
  const FRESH = { algorithm: 'aes-256-cbc', key: 'F'.repeat(32), iv: 'G'.repeat(16) } as const;

  const stage = useStage('each', { startAt: '2026-11-21T03:00:30Z' }, async (stage) => {
    await stage.world.putRegistry({ [CODE]: { recipients: [OWNER] } });
    stage.world.payments.data.seedDay(CODE, DAY, { invoices: 6, refunds: 1 });
  });

  const story = (happened: string) => storyOn(stage, happened);
  const tick = () => runFunction('plan', { kind: 'daily', scheduledTime: TICK }, stage.world.clock);
  const mailsTo = (address: string) =>
    stage.world
      .mails('report')
      .filter(({ tags, destinations }) => tags['day'] === DAY && destinations.includes(address));

  const triedSchema = z.looseObject({
    merchants: z.tuple([z.object({ nextTry: z.object({ from: z.string(), until: z.string() }).nullable() })]),
  });

  /** The message of the reports is tried until it is put aside: each time when `daybook status` has said. */
  async function tryThrough(): Promise<void> {
    await tick();
    for (let receive = 1; receive <= 3; receive += 1) {
      await stage.drainQueues();
      const { merchants } = triedSchema.parse(documentOf(await stage.run('status', '--json')));
      const [{ nextTry }] = merchants;
      const [message] = stage.aws.queues.messages(queueNameOf('reports'));
      expect(message === undefined).toBe(receive === 3);
      expect(nextTry === null).toBe(receive === 3);
      if (message === undefined || nextTry === null) break;
      const { visibleAt } = message;
      expect(visibleAt).toBeGreaterThanOrEqual(Date.parse(nextTry.from));
      expect(visibleAt).toBeLessThanOrEqual(Date.parse(nextTry.until));
      stage.setTime(new Date(visibleAt).toISOString());
    }
    stage.startQueues();
  }

  it('a merchant says that no mail came', async () => {
    const next = story('a merchant says "no mail came"');
    await says(
      next(),
      1,
      'No tick of plan came',
      'The next tick of plan makes up for it, until 2026-11-22 06:00.',
      `npx daybook report ${CODE} --day ${DAY}`,
    );
    await says(next(), 0);
    expect(mailsTo(OWNER)).toHaveLength(1);
  });

  it('an address bounced', async () => {
    await stage.world.report();
    await happensTo(stage.world, OWNER, 'bounced-permanent');
    const next = story('an address bounced');
    await says(next(), 1, 'Mail to this address is stopped');
    await says(next(), 0);
    await says(next(), 0);
    expect(mailsTo(OWNER)).toHaveLength(2);
  });

  it('the service was down all night', async () => {
    const { faults } = stage.world.payments.behaviour;
    faults.add({ times: Infinity, action: { kind: 'status', status: 503 } });
    await tryThrough();
    stage.setTime('2026-11-21T06:00:00Z');
    const next = story('the service was down all night');
    const tries = /pull failed: ServerError.*the service failed \(HTTP 503\); tried 3 times/;
    await says(next(), 1, tries, 'Queue reports: 0 messages to be done, 1 put aside');
    faults.clear();
    await says(next(), 0);
    await says(next(), 0, 'None of them needs a look.');
    expect(mailsTo(OWNER)).toHaveLength(1);
  });

  it("the service's keys changed", async () => {
    stage.world.payments.rotate(CODE, FRESH);
    await tryThrough();
    const next = story("the service's keys changed");
    await says(
      next(),
      1,
      /ended at .* with \w+: .*It was tried 3 times, first at 2026-11-21 06:0/,
      'Its message is not tried again by itself.',
      'Later reports pull this day again by themselves',
      'npx daybook redrive reports',
    );
    const { key, iv } = FRESH;
    await says(next(JSON.stringify({ cipher: { key, iv } })), 0);
    await says(next(), 0);
    await expect.poll(() => mailsTo(OWNER), { timeout: 20_000 }).toHaveLength(1);
  });

  it('a month is backfilled', async () => {
    stage.setTime('2026-12-02T06:00:00Z');
    stage.startQueues();
    const next = story('a month is backfilled');
    await says(next(), 0);
    await says(next(), 0);
    await says(next(), 0, 'It is final: 30 days added up.');
    expect(stage.world.mails('statement')).toHaveLength(1);
  });
});

describe('an operator changes the registry:', () => {
  const [FIRST, NEW] = ['700001', '700003'];
  const RIGHT = `owner-${FIRST}@merchants.example`;
  const WRONG = 'owner-700009@merchants.example';
  const OF_NEW = `owner-${NEW}@merchants.example`;

  /** A stage at noon in Kuwait. Its service knows a merchant that Daybook does not know. */
  const noon = { merchants: 3, startAt: '2026-11-23T09:00:00Z' };
  const stage = useStage('each', noon, async ({ aws, world, startQueues }) => {
    const registry = membersOf(JSON.parse(await world.text(REGISTRY)));
    const merchants = [registry['merchants']].flat().slice(0, 2);
    await aws.s3.write(BUCKET, REGISTRY, JSON.stringify({ ...registry, merchants }));
    const entries = { [FIRST]: entryOf(0), '700002': entryOf(1) };
    aws.secrets.put(SECRET, JSON.stringify({ merchants: entries }));
    startQueues();
  });
  const story = (happened: string) => storyOn(stage, happened);
  const file = () => join(stage.directory, 'merchants.json');
  const registry = (...words: string[]) =>
    stage.runIn({ cwd: stage.directory }, 'registry', ...words, '--yes');
  const readers = () => stage.world.mails().flatMap(({ destinations }) => destinations);
  const mailed = (reader: string) =>
    vi.waitFor(() => expect(readers()).toContain(reader), { timeout: 90_000 });

  /** The schedule fires. */
  const tick = (moment: string, kind: 'daily' | 'statement' = 'daily') => {
    stage.setTime(moment);
    return runFunction('plan', { kind, scheduledTime: moment }, stage.world.clock);
  };

  it('a merchant joins at noon, and has its first report the next morning', async () => {
    const next = story('a merchant joins at noon');
    const added = next(JSON.stringify(entryOf(2)), '--recipients', OF_NEW);
    await says(added, 0, 'first the report of 2026-11-23.');
    await tick('2026-11-23T09:15:00Z');
    await tick('2026-11-24T03:00:00Z');
    await mailed(OF_NEW);
    expect(readers().filter((reader) => reader === OF_NEW)).toHaveLength(1);
  }, 150_000);

  it('a bad push is taken back before the next morning', async () => {
    stage.aws.caller.arn = 'arn:aws:sts::000000000000:assumed-role/Operators/jane';
    await registry('pull');
    writeFileSync(file(), readFileSync(file(), 'utf8').replace(RIGHT, WRONG));
    await says(registry('push'), 0);
    const next = story('a push was wrong');
    const told = /^0 {2}2026-11-23 09:00 UTC {2}jane \(Operators\)\n {3}700001: 1 recipient instead of 1/;
    await says(next(), 0, told);
    await says(next(), 0, 'is changed');
    await tick('2026-11-24T03:00:00Z');
    await mailed(RIGHT);
    expect(readers()).not.toContain(WRONG);
  }, 150_000);

  it('a chain gets a page of all its shops', async () => {
    const chief = 'chief@merchants.example';
    const next = story('a chain gets a page');
    await next();
    const pulled = membersOf(JSON.parse(readFileSync(file(), 'utf8')));
    const chain = { name: 'chain', merchants: { prefix: '70' }, recipients: [chief], daily: true };
    writeFileSync(file(), JSON.stringify({ ...pulled, groups: [chain] }));
    await says(next(), 0, 'chain');
    await tick('2026-11-24T03:00:00Z');
    await mailed(RIGHT);
    await tick('2026-11-24T05:00:00Z', 'statement');
    await mailed(chief);
  }, 240_000);
});
