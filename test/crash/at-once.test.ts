import { setTimeout as wait } from 'node:timers/promises';
import * as z from 'zod';
import { addressHash, isMerchantDay, pagePrefix, revisionInKey } from '#records/storage/keys.ts';
import { figuresOf } from '#records/revision/manifest.ts';
import { seededRandom } from '#sandbox/payments/day/random.ts';
import { A, B, KINDS, askFor, worldOf } from '#support/page/kinds-of-page.ts';
import { BUCKET, CODE, DAY, DaybookWorld } from '#support/world/daybook-world.ts';
import { allWell, watch } from '#support/watch/running-watch.ts';
import { mailEventsOf, sesEvent } from '#support/mail-events/running-mail-events.ts';
import { begunAtOnce, delayCalls, failures, quicken } from '#support/crash/at-once.ts';
import {
  expectChecked,
  expectKnownObjects,
  expectMailsAgree,
  expectMailsInOrder,
  expectNewestIsTruth,
  expectRemembered,
  expectSealed,
  readersOf,
} from '#support/crash/bucket.ts';
import { defined } from '#support/assertions/index.ts';

const SEEDS = [1, 2, 3];

let world: DaybookWorld;
beforeEach(async () => {
  world = await DaybookWorld.ofTest();
  quicken(world);
  await world.putRegistry({ [CODE]: { recipients: [A, B] } });
  world.payments.data.seedDay(CODE, DAY, { invoices: 12, refunds: 3 });
});

/**
 * Delays the calls of this seed. With the first seed the merchant is new, so that runs make its history at the same time.
 * With the others it has one, so that they replace it.
 */
async function prepare(seed: number): Promise<void> {
  if (seed === SEEDS[0]) for (const key of world.keys('history/')) await world.aws.s3.remove(BUCKET, key);
  delayCalls(world, seed);
}

function times<T>(count: number, run: () => T): (() => T)[] {
  return Array.from({ length: count }, () => run);
}

/** Checks what must hold whatever ran at the same time, and however long each run took. */
async function expectWhole(revisions?: number): Promise<void> {
  await expectKnownObjects(world);
  const sealed = await expectSealed(world);
  if (revisions !== undefined) expect(sealed).toHaveLength(revisions);
  await expectNewestIsTruth(world);
  await expectChecked(world);
  await expectRemembered(world);
  expectMailsInOrder(world);
  expect(await expectMailsAgree(world)).toBe(0);
  expect(world.mails('ops')).toEqual([]);
  // No revision has the same content as the revision before it.
  const said = sealed.map((manifest) => JSON.stringify([manifest.digest, figuresOf(manifest)]));
  expect(said.filter((text, index) => text === said[index - 1])).toEqual([]);
  // The last mail of each recipient has the figures of the newest revision.
  const newest = figuresOf(defined(sealed.at(-1)));
  for (const reader of [A, B]) expect(figuresOf(defined(sealed[lastRevisionOf(reader) - 1]))).toEqual(newest);
}

/** The revision of the last mail of a recipient. */
function lastRevisionOf(reader: string): number {
  const last = world.mails().findLast(({ destinations }) => destinations.includes(reader));
  return Number(last?.tags['revision']);
}

const pageSchema = z.looseObject({
  digest: z.string(),
  days: z.array(z.object({ revision: z.number() })).default([]),
  merchants: z.array(z.object({ revision: z.number() })).default([]),
});

describe.each(KINDS)('runs of $name at once', (kind) => {
  const cases = [2, 5, 8].flatMap((runs) => SEEDS.map((seed) => [runs, seed] as const));
  const run = () => askFor(world, kind);

  beforeEach(async () => {
    world = await worldOf(kind);
    quicken(world);
  });

  /** The revisions, oldest first. */
  async function revisions() {
    const keys = world.keys(pagePrefix(kind.id));
    expect(keys.map(revisionInKey)).toEqual(keys.map((_, index) => index + 1));
    return Promise.all(keys.map(async (key) => pageSchema.parse(JSON.parse(await world.text(key)))));
  }

  it.each(cases)('seal one revision and send one mail to each when %i run (seed %i)', async (runs, seed) => {
    await prepare(seed);
    expect(failures(await begunAtOnce(seed, times(runs, run)))).toEqual([]);
    expect(await revisions()).toHaveLength(1);
    expect(readersOf(world, 1)).toEqual([A, B]);
    expect(await expectMailsAgree(world)).toBe(0);
    if (isMerchantDay(kind.id)) await expectWhole(1);
  });

  it.each(cases)(
    'end with its content at last when that changes while %i run (seed %i)',
    async (runs, seed) => {
      await prepare(seed);
      const random = seededRandom(`changes ${seed}`);
      const changing = (async () => {
        for (let change = 0; change < 3; change += 1) {
          await wait(random.below(80));
          await kind.change(world);
        }
        // This run starts after the last change while the others still run, so it finds the final state.
        return begunAtOnce(seed, [run]);
      })();
      const results = [...(await begunAtOnce(seed, times(runs, run))), ...(await changing)];
      // A run that was overtaken three times fails with this error, and is run again.
      expect(failures(results).filter((name) => name !== 'SealContestedError')).toEqual([]);
      await run();
      expect(await run()).toMatchObject({ unchanged: true });
      const pages = await revisions();
      expect(pages.filter(({ digest }, index) => digest === pages[index - 1]?.digest)).toEqual([]);
      // No later page names an older one.
      const named = pages.map(({ days, merchants }) =>
        [...days, ...merchants].map(({ revision }) => revision),
      );
      for (const [index, ones] of named.entries())
        expect(ones.every((one, place) => one >= (named[index - 1]?.[place] ?? 0))).toBe(true);
      expectMailsInOrder(world);
      expect(await expectMailsAgree(world)).toBe(0);
      expect([A, B].map(lastRevisionOf)).toEqual([pages.length, pages.length]);
      if (isMerchantDay(kind.id)) await expectWhole();
    },
  );
});

describe.each(SEEDS)('with seed %i', (seed) => {
  it("ticks make and mail one page of a group's day, although that changes", async () => {
    const kind = defined(KINDS.find(({ id }) => id.owner.group !== undefined));
    world = await worldOf(kind);
    quicken(world);
    await prepare(seed);
    const tick = () => askFor(world, kind, { scheduledTime: '2026-12-01T06:00:00.000Z' });
    const changing = wait(20).then(() => kind.change(world));
    expect(failures(await begunAtOnce(seed, times(5, tick)))).toEqual([]);
    await changing;
    expect(await tick()).toMatchObject({ revision: 1, unchanged: true });
    expect(readersOf(world, 1)).toEqual([A, B]);
    expect(await expectMailsAgree(world)).toBe(0);
  });

  it('runs of one merchant and day at once mail a correction after the first mails when the day changes during mailing', async () => {
    // The delay is so long that the other runs seal the change before it ends.
    world.awsDoes({ kind: 'delay', milliseconds: 1_000 }, { service: 'ses', key: /^b@/ });
    await prepare(seed);
    const first = world.report();
    while (world.mails().length === 0) await Promise.race([first, wait(1)]);
    world.payments.data.insertInvoice(CODE, DAY, { invoice_status: 1 });
    const results = await begunAtOnce(seed, [() => first, ...times(3, () => world.report())]);
    expect(failures(results)).toEqual([]);
    await expectWhole(2);
    expect([readersOf(world, 1), readersOf(world, 2)]).toEqual([
      [A, B],
      [A, B],
    ]);
  });

  it('a resend beside runs sends exactly one more round', async () => {
    await world.report();
    await prepare(seed);
    const runs = [() => world.report({ resend: true }), ...times(3, () => world.report())];
    expect(failures(await begunAtOnce(seed, runs))).toEqual([]);
    await expectWhole(1);
    expect((await world.ledger(1)).round).toBe(2);
    expect(readersOf(world, 1)).toEqual([A, A, B, B]);
  });

  it('a resend beside a run waits for the first mailing', async () => {
    await prepare(seed);
    const first = world.report();
    while (world.keys('mail/day=').length === 0) await wait(1);
    const results = await Promise.allSettled([first, world.report({ resend: true })]);
    expect(failures(results)).toEqual([]);
    await expectWhole(1);
    expect(readersOf(world, 1)).toEqual([A, A, B, B]);
  });

  it('five resends to recipients without the mail send once to each, beside runs', async () => {
    world.awsDoes({ kind: 'reset', when: 'before' }, { service: 'ses', key: /^b@/ });
    expect((await world.report()).mail.status).toBe('held');
    await prepare(seed);
    const runs = [...times(5, () => world.report({ resend: 'failed' })), ...times(2, () => world.report())];
    expect(failures(await begunAtOnce(seed, runs))).toEqual([]);
    expect(await expectSealed(world)).toHaveLength(1);
    expect(await expectMailsAgree(world)).toBe(0);
    expect((await world.ledger(1)).round).toBe(2);
    expect(readersOf(world, 1)).toEqual([A, B]);
  });

  it('no event of a mail that a run is still sending is lost', async () => {
    await prepare(seed);
    const happening: Promise<void>[] = [];
    const seen = new Set<string>();
    const reporting = Promise.all(times(2, () => world.report()).map((run) => run()));
    const progress = { isOver: false };
    const over = () => (progress.isOver = true);
    void reporting.then(over, over);
    while (!progress.isOver || seen.size < world.mails().length) {
      for (const mail of world.mails()) {
        if (seen.has(mail.messageId)) continue;
        seen.add(mail.messageId);
        for (const sample of ['sent', 'delivered', 'delivered'] as const) {
          happening.push(sesEvent(sample, mail).then((event) => mailEventsOf(world)(event)));
        }
      }
      await wait(1);
    }
    await reporting;
    await Promise.all(happening);
    await expectWhole(1);
    const recipients = [A, B].map((address) => ({ to: addressHash(address), status: 'delivered' }));
    expect(await world.ledger(1)).toMatchObject({ status: 'delivered', recipients });
    expect(readersOf(world, 1)).toEqual([A, B]);
  });

  it('the watch beside a run changes nothing, and finds everything delivered afterwards', async () => {
    await prepare(seed);
    const watching = times(3, () => watch(world, { day: DAY }).then(({ missing }) => missing));
    const results = await begunAtOnce<unknown>(seed, [() => world.report(), ...watching]);
    expect(failures(results)).toEqual([]);
    expect(await watch(world, { day: DAY })).toEqual(allWell(1));
    expect(await expectSealed(world)).toHaveLength(1);
    expect(await expectMailsAgree(world)).toBe(0);
    expect(readersOf(world, 1)).toEqual([A, B]);
  });
});
