import { deliveryOf } from '#watch/delivery-watch/delivery.ts';
import { expectedReport } from '#watch/delivery-watch/expected-pages.ts';
import type { WatchAnswer } from '#watch/delivery-watch/create-delivery-watch.ts';
import { addressHash, ledgerKey, suppressionKey } from '#records/storage/keys.ts';
import {
  WRITER_GONE,
  withWriterGone,
  decisiveEntries,
  wasReceivedBefore,
  presentEntries,
} from '#records/ledger/ledger-rounds.ts';
import { ledgerAfter } from '#records/ledger/ledger-events.ts';
import type { Ledger } from '#records/ledger/ledger.ts';
import { mailOnce } from '#mail/once/mail-once.ts';
import type { LedgerStore, VersionedLedger } from '#mail/ledger-store.ts';
import type { SendOutcome } from '#mail/mail-sender.ts';
import { BUCKET, CODE, DAY, useWorld } from '#support/world/daybook-world.ts';
import { FIGURES } from '#support/records/manifests.ts';
import { allWell, watch } from '#support/watch/running-watch.ts';
import { defined, fc, forAllAsync } from '#support/assertions/index.ts';
import { aNotice } from '#support/rendering/alerts.ts';
import { MailRefusedError } from '#mail/once/mail-answer.ts';

describe('a day that was received stays received', () => {
  const world = useWorld();
  /** The day's only revision, sealed by a backfill. */
  beforeEach(async () => {
    world.payments.data.seedDay(CODE, DAY, { invoices: 5, refunds: 1 });
    await world.report({ send: false });
    await expectWell();
  });

  async function expectWell(): Promise<void> {
    expect(await watch(world)).toEqual(allWell(1));
  }

  it('when its mail was not to be sent, and is being sent again, or the run that does it died', async () => {
    const meanwhile: WatchAnswer[] = [];
    const before = async () => void meanwhile.push(await watch(world));
    world.awsDoes({ kind: 'call', before }, { service: 'ses' });
    expect((await world.report({ resend: true })).mail.status).toBe('sent');
    expect(meanwhile).toEqual([allWell(1)]);
    const ledger = await world.ledger(1);
    const dead = { ...ledger, status: 'intended', writer: 'a run that died', recipients: [] };
    await world.aws.s3.write(BUCKET, ledgerKey(DAY, CODE, 1), JSON.stringify(dead));
    await expectWell();
  });

  it('when a ledger of an earlier version says that nothing was to be sent, and mail to the address is stopped', async () => {
    const { nothingToSend: _left, ...ledger } = await world.ledger(1);
    await world.aws.s3.write(BUCKET, ledgerKey(DAY, CODE, 1), JSON.stringify(ledger));
    await expectWell();
    const stop = suppressionKey(addressHash(`owner-${CODE}@merchants.example`));
    await world.aws.s3.write(BUCKET, stop, JSON.stringify({ reason: 'on holiday' }));
    expect((await world.report({ resend: true })).mail.status).toBe('skipped');
    await expectWell();
  });
});

/*
 * The same for random histories of a ledger in memory: the mail, resends, deaths of their runs, events and sweeps. When a day
 * was received, only an event about a mail that counted can make it missing. A resend never can.
 */

const PEOPLE = ['a@merchants.example', 'b@merchants.example'] as const;
const KEY = `mail/day=${DAY}/merchant=${CODE}/r0001.json`;

class DiedError extends Error {}

class MemoryLedger implements Pick<LedgerStore, keyof LedgerStore> {
  standing: VersionedLedger | undefined;
  /** The writes that are left before the process dies. */
  writesLeft = Infinity;

  read(): Promise<VersionedLedger | undefined> {
    return Promise.resolve(this.standing);
  }
  announce(): Promise<void> {
    return Promise.resolve();
  }
  create(_key: string, ledger: Ledger): Promise<VersionedLedger | undefined> {
    return this.standing === undefined ? this.#write(ledger) : Promise.resolve(undefined);
  }
  update(_key: string, ledger: Ledger, version: string): Promise<VersionedLedger | undefined> {
    return this.standing?.version === version ? this.#write(ledger) : Promise.resolve(undefined);
  }
  async #write(ledger: Ledger): Promise<VersionedLedger> {
    this.writesLeft -= 1;
    if (this.writesLeft < 0) throw new DiedError();
    this.standing = { ledger, version: Math.random().toString() };
    return Promise.resolve(this.standing);
  }
}

type Step =
  | {
      do: 'mail' | 'resend';
      outcomes: SendOutcome['kind'][];
      stopped: boolean[];
      people: number;
      writes: number;
      /** The recipients of a resend, `null` for everybody. */
      chosen: boolean[] | null;
    }
  | { do: 'event'; is: 'delivered' | 'hard bounce' | 'soft bounce' | 'complaint'; of: number }
  | { do: 'sweep'; knowsRecipients: boolean };

const perPerson = <T>(arbitrary: fc.Arbitrary<T>) =>
  fc.array(arbitrary, { minLength: PEOPLE.length, maxLength: PEOPLE.length });
const run = (what: 'mail' | 'resend') =>
  fc.record({
    do: fc.constant(what),
    outcomes: perPerson(fc.constantFrom<SendOutcome['kind']>('accepted', 'accepted', 'refused', 'unknown')),
    stopped: perPerson(fc.boolean()),
    people: fc.integer({ min: 1, max: PEOPLE.length }),
    writes: fc.oneof(fc.constant(Infinity), fc.integer({ min: 0, max: 6 })),
    chosen: what === 'mail' ? fc.constant(null) : fc.option(perPerson(fc.boolean())),
  });
const steps: fc.Arbitrary<Step[]> = fc.array(
  fc.oneof(
    run('mail'),
    run('resend'),
    fc.record({
      do: fc.constant('event' as const),
      is: fc.constantFrom('delivered', 'hard bounce', 'soft bounce', 'complaint'),
      of: fc.nat(9),
    }),
    fc.record({ do: fc.constant('sweep' as const), knowsRecipients: fc.boolean() }),
  ),
  { minLength: 2, maxLength: 14 },
);

it('no resend makes a received day missing, however the resend ends', async () => {
  let received = 0;
  let partial = 0;
  await forAllAsync([steps], { numRuns: 2_000 }, async (life) => {
    const ledgers = new MemoryLedger();
    let now = Date.parse('2026-11-21T03:00:00Z');
    let people: readonly string[] = PEOPLE;
    let messages = 0;
    let knewSomeOnly = false;
    const missing = (moment: number) => {
      const owner = { merchantCode: CODE };
      const who = { owner, name: null, entry: 'usable', recipients: people } as const;
      const report = expectedReport(who, { day: DAY, isDue: true }, 'Asia/Kuwait');
      const sealed = { revision: 1, isGood: true, asOf: '2026-11-21T03:00:00.000Z', hasParts: true };
      return deliveryOf(report, { ...sealed, ledger: ledgers.standing?.ledger }, moment).missing;
    };
    for (const [index, step] of life.entries()) {
      // Leases of dead runs are over.
      now += 600_000;
      // The registry may change. A resend does not cause that.
      if (step.do === 'resend' && step.chosen === null) people = PEOPLE.slice(0, step.people);
      const before = missing(now);
      const chosen =
        step.do === 'resend' && step.chosen !== null
          ? people.filter((_, place) => step.chosen?.[place] === true).map(addressHash)
          : null;
      if (before === null) received += 1;
      const at = new Date(now).toISOString();
      const ledger = ledgers.standing?.ledger;
      ledgers.writesLeft = Infinity;
      if (step.do === 'sweep' && ledger?.status === 'intended') {
        const recipients = step.knowsRecipients ? people.map(addressHash) : undefined;
        ledgers.standing = { ledger: withWriterGone(ledger, recipients, at), version: `swept ${index}` };
      } else if (step.do === 'event' && ledger !== undefined) {
        const entry = ledger.recipients[step.of];
        if (entry?.messageId !== undefined && entry.messageId !== null) {
          const event = { is: step.is, messageId: entry.messageId, recipient: entry.to, at, detail: null };
          const change = ledgerAfter(ledger, event);
          if (change.outcome === 'changed')
            ledgers.standing = { ledger: change.ledger, version: `event ${index}` };
        }
      } else if (step.do === 'mail' || step.do === 'resend') {
        ledgers.writesLeft = step.writes;
        const ports = {
          ledgers,
          clock: { now: () => now, sleep: () => Promise.resolve() },
          suppressionList: {
            reason: (hash: string) => {
              const isStopped = step.stopped[PEOPLE.map(addressHash).indexOf(hash)] === true;
              return Promise.resolve(isStopped ? 'bounced' : undefined);
            },
          },
          mailSender: {
            send: ({ to }: { to: string }): Promise<SendOutcome> => {
              const kind = step.outcomes[PEOPLE.findIndex((address) => address === to)] ?? 'accepted';
              messages += 1;
              if (kind === 'accepted') return Promise.resolve({ kind, messageId: `m-${messages}` });
              if (kind === 'refused') return Promise.resolve({ kind, throttled: false, reason: 'no' });
              return Promise.resolve({ kind, reason: 'reset' });
            },
          },
          opsNotices: { notifyOnce: () => Promise.resolve(true) },
        };
        await mailOnce(ports, {
          key: KEY,
          tags: { merchant: CODE, day: DAY, revision: '1' },
          recipients: people,
          deadline: now + 300_000,
          writer: `run ${index}`,
          resend:
            chosen === null
              ? step.do === 'resend'
              : () => Promise.resolve({ to: chosen, former: [], ifNone: 'nobody is chosen' }),
          begin: () => Promise.resolve({ kind: 'report', figures: FIGURES, skipped: null }),
          compose: () => Promise.resolve(() => Promise.resolve(new Uint8Array())),
          heldNotice: () => aNotice(),
        }).catch((error: unknown) => {
          if (!(error instanceof DiedError) && !(error instanceof MailRefusedError)) throw error;
        });
        ledgers.writesLeft = Infinity;
      }
      const wasQuiet = ledger !== undefined && ledger.status !== 'intended';
      if (chosen !== null && wasQuiet && presentEntries(ledger).length > 0) {
        partial += 1;
        const hashes = people.map(addressHash);
        const others = (of: Ledger | undefined) =>
          presentEntries(defined(of)).filter(({ to }) => hashes.includes(to) && !chosen.includes(to));
        // A resend to some recipients leaves the others as they were. Those whom a sweep did not know are added.
        if (ledger.reason !== WRITER_GONE) expect(others(ledgers.standing?.ledger)).toEqual(others(ledger));
        // A person who was not a recipient in the last round for all, and is one again, gets no mail of this day.
        const waiting = presentEntries(ledger).map(({ to }) => to);
        const isLacking = [...decisiveEntries(ledger).values()].some(
          ({ to, status }) =>
            waiting.includes(to) &&
            hashes.includes(to) &&
            !chosen.includes(to) &&
            ['held', 'failed', 'bounced', 'complained'].includes(status),
        );
        if (before !== null && isLacking) expect(missing(now + 300_000)).not.toBeNull();
      }
      // If the registry cannot be read, a sweep holds what a dead run left, unless an earlier round arrived.
      const isInTheDark =
        step.do === 'sweep' && !step.knowsRecipients && ledger !== undefined && !wasReceivedBefore(ledger);
      // Later, a resend may show that somebody whom this sweep did not know has no mail.
      knewSomeOnly ||=
        ledger?.reason === WRITER_GONE &&
        people.some((address) => !presentEntries(ledger).some(({ to }) => to === addressHash(address)));
      if (before !== null || step.do === 'event' || isInTheDark || knewSomeOnly) continue;
      // Also while a run sends it again, and after that run has died.
      if (step.do !== 'sweep' && ledger?.status !== 'intended') expect(missing(now)).toBeNull();
      expect(missing(now + 300_000)).toBeNull();
    }
  });
  // Without received days this property would be true of nothing.
  expect(received).toBeGreaterThan(1_000);
  expect(partial).toBeGreaterThan(1_000);
});
