import { ledgerAfter, suppressionReason, withOutcome } from '#records/ledger/ledger-events.ts';
import type { MailEvent } from '#records/ledger/ledger-events.ts';
import type { Ledger, LedgerEntry, RecipientStatus } from '#records/ledger/ledger.ts';
import { aLedger, anEntry } from '#support/records/manifests.ts';
import { fc, forAll } from '#support/assertions/index.ts';

/** An entry from before all events. */
function entry(to: string, status: RecipientStatus, messageId: string | null = null, round = 1): LedgerEntry {
  return anEntry(to, status, { messageId, round, at: '2026-11-21T03:00:00.000Z' });
}

const TIMES: Record<MailEvent['is'], string> = {
  sent: '2026-11-21T03:00:01.000Z',
  delayed: '2026-11-21T03:05:00.000Z',
  delivered: '2026-11-21T03:00:03.000Z',
  'soft bounce': '2026-11-21T03:00:04.000Z',
  rejected: '2026-11-21T03:00:02.000Z',
  'hard bounce': '2026-11-21T03:00:05.000Z',
  complaint: '2026-11-21T06:00:00.000Z',
};
const ALL = Object.keys(TIMES).filter((name): name is MailEvent['is'] => name in TIMES);

function event(is: MailEvent['is'], changes: Partial<MailEvent> = {}): MailEvent {
  return { is, messageId: 'm-a', recipient: 'a', at: TIMES[is], detail: null, ...changes };
}

function after(start: Ledger, events: readonly MailEvent[]): Ledger {
  return events.reduce((standing, next) => {
    const change = ledgerAfter(standing, next);
    return change.outcome === 'changed' ? change.ledger : standing;
  }, start);
}

describe('ledgerAfter', () => {
  it.each<[RecipientStatus, MailEvent['is'][], RecipientStatus]>([
    ['accepted', ['sent'], 'accepted'],
    ['accepted', ['delivered'], 'delivered'],
    ['delivered', ['sent'], 'delivered'],
    ['accepted', ['delayed'], 'accepted'],
    ['intended', ['delayed'], 'intended'],
    ['intended', ['sent'], 'accepted'],
    ['held', ['sent'], 'accepted'],
    ['held', ['delivered'], 'delivered'],
    ['held', ['hard bounce'], 'bounced'],
    ['accepted', ['soft bounce', 'delivered'], 'delivered'],
    ['accepted', ['delivered', 'soft bounce'], 'delivered'],
    ['accepted', ['soft bounce'], 'bounced'],
    ['accepted', ['delivered', 'hard bounce'], 'bounced'],
    ['accepted', ['hard bounce', 'delivered'], 'bounced'],
    ['accepted', ['rejected', 'sent'], 'bounced'],
    ['accepted', ['delivered', 'complaint'], 'complained'],
    ['accepted', ['complaint', 'delivered', 'hard bounce'], 'complained'],
  ])('changes %s after the events %j to %s', (from, events, to) => {
    const known = from === 'intended' || from === 'held' ? null : 'm-a';
    const happened = events.map((is) => event(is));
    expect(after(aLedger([entry('a', from, known)]), happened).recipients).toMatchObject([{ status: to }]);
  });

  it('gives an entry the message id, the time and the words of the event', () => {
    const start = aLedger([{ ...entry('a', 'held'), reason: 'it is not known whether it was sent' }], {
      status: 'held',
    });
    expect(after(start, [event('delivered')])).toEqual(
      aLedger([{ ...entry('a', 'delivered', 'm-a'), at: TIMES.delivered }], { status: 'delivered' }),
    );
    const bounced = after(start, [event('hard bounce', { detail: 'Permanent: NoEmail' })]);
    expect(bounced.recipients[0]?.reason).toBe('hard bounce (Permanent: NoEmail)');
  });

  it.each<[string, LedgerEntry[]]>([
    ['has another message', [entry('a', 'accepted', 'm-other')]],
    ['was certainly not sent to', [entry('a', 'failed')]],
    ['was skipped', [entry('a', 'skipped')]],
    ['does not exist', [entry('b', 'held')]],
    ['has another message in every round', [entry('a', 'accepted', 'm-0'), entry('a', 'accepted', 'm-2', 2)]],
  ])('finds no entry for a mail whose recipient %s', (_why, recipients) => {
    const round = Math.max(...recipients.map((one) => one.round));
    expect(ledgerAfter(aLedger(recipients, { round }), event('delivered'))).toEqual({ outcome: 'unmatched' });
  });

  it('records the outcome of a mail of an earlier round, after a person sent it again', () => {
    const recipients = [entry('a', 'held'), entry('a', 'accepted', 'm-2', 2)];
    expect(after(aLedger(recipients, { round: 2 }), [event('delivered')])).toMatchObject({
      // A mail that one round delivered stays received, whatever happens in the next round.
      status: 'delivered',
      recipients: [{ status: 'delivered', messageId: 'm-a' }, { messageId: 'm-2' }],
    });
  });

  const settled = fc.constantFrom<RecipientStatus>('accepted', 'delivered', 'bounced', 'complained');
  const places = fc.oneof(settled, fc.constant('unsettled' as const));
  // A writer that has finished leaves no entry `intended`.
  const ledgers = fc
    .record({ a: places, b: places, earlier: settled, isFinished: fc.boolean(), isHeld: fc.boolean() })
    .map(({ a, b, earlier, isFinished, isHeld }) => {
      const present = (to: string, place: typeof a) =>
        place === 'unsettled'
          ? entry(to, isFinished || isHeld ? 'held' : 'intended', null, 2)
          : entry(to, place, `m-${to}`, 2);
      return aLedger([entry('a', earlier, 'm-0', 1), present('a', a), present('b', b)], {
        round: 2,
        status: isFinished ? 'held' : 'intended',
      });
    });
  const events = fc
    .record({
      is: fc.constantFrom(...ALL),
      message: fc.constantFrom(['m-0', 'a'], ['m-a', 'a'], ['m-b', 'b'], ['m-unknown', 'c']),
      // The same fact is sometimes reported twice in different words: two bounces of one message.
      late: fc.boolean(),
      detail: fc.constantFrom(null, 'Permanent: General', 'abuse'),
    })
    .map(({ is, message: [messageId = '', recipient = ''], late, detail }) => {
      const isFixed = is === 'sent' || is === 'delivered';
      const at = late && !isFixed ? '2026-11-22T00:00:00.000Z' : TIMES[is];
      return event(is, { messageId, recipient, at, detail: isFixed ? null : detail });
    });

  it('gives the same ledger in whatever order events come, and however often each comes', () => {
    const cases = fc.tuple(ledgers, fc.array(events, { minLength: 1, maxLength: 8 })).chain(([start, set]) =>
      fc.record({
        start: fc.constant(start),
        once: fc.constant(set),
        mixed: fc
          .array(fc.constantFrom(...set), { maxLength: 8 })
          .chain((again) =>
            fc.shuffledSubarray([...set, ...again], { minLength: set.length + again.length }),
          ),
      }),
    );
    forAll([cases], { numRuns: 2_000 }, ({ start, once, mixed }) => {
      expect(after(start, mixed)).toEqual(after(start, once));
    });
  });

  it('never loses an entry, and recognises an event that comes again', () =>
    forAll([ledgers, fc.array(events, { maxLength: 8 })], (start, set) => {
      const end = after(start, set);
      expect(end.recipients).toMatchObject(start.recipients.map(({ to, round }) => ({ to, round })));
      for (const again of set) expect(ledgerAfter(end, again).outcome).not.toBe('changed');
    }));
});

describe('withOutcome', () => {
  const outcome = { to: 'a', at: '2026-11-21T03:00:09.000Z', reason: null };

  it.each<[string, Partial<LedgerEntry>]>([
    ['accepted', { status: 'accepted', messageId: 'm-a' }],
    ['unknown', { status: 'intended', messageId: null }],
    ['refused', { status: 'failed', messageId: null }],
  ])('keeps what an event said about the call before the writer knew that it was %s', (_what, said) => {
    const told = aLedger([entry('a', 'bounced', 'm-a')], { status: 'intended' });
    expect(withOutcome(told, { ...outcome, status: 'accepted', messageId: null, ...said })).toEqual(told);
  });

  it('records the outcome if no event has reported it', () => {
    const start = aLedger([entry('a', 'intended'), entry('b', 'accepted', 'm-b')], { status: 'intended' });
    const { recipients } = withOutcome(start, { ...outcome, status: 'accepted', messageId: 'm-a' });
    const accepted = { ...outcome, status: 'accepted', messageId: 'm-a', round: 1 };
    expect(recipients).toEqual([accepted, start.recipients[1]]);
  });

  it('records the accepted message although a late event of another message came first', () => {
    const told = aLedger([entry('a', 'delivered', 'm-old')], { status: 'intended' });
    const { recipients } = withOutcome(told, { ...outcome, status: 'accepted', messageId: 'm-new' });
    expect(recipients).toMatchObject([{ status: 'accepted', messageId: 'm-new' }]);
  });

  it('gives the same result whether the event or the writer is first', () => {
    const said = { ...outcome, status: 'accepted' as const, messageId: 'm-a' };
    const start = aLedger([entry('a', 'intended')], { status: 'intended' });
    for (const is of ALL.filter((one) => one !== 'sent' && one !== 'delayed')) {
      const eventFirst = withOutcome(after(start, [event(is)]), said);
      expect(eventFirst).toEqual(after(withOutcome(start, said), [event(is)]));
    }
  });
});

it('hard bounces and complaints suppress an address', () => {
  const all = ALL.filter((is) => suppressionReason(event(is)) !== undefined);
  expect(all).toEqual(['hard bounce', 'complaint']);
});
