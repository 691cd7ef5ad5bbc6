import type { QueueFacts, StopFacts, WhyFacts, Ending } from '#bin/daybook/why/verdict.ts';
import { timeline } from '#bin/daybook/why/timeline.ts';
import { isTrouble, whatComesNext } from '#bin/daybook/why/verdict.ts';
import { verdictOfAddress } from '#bin/daybook/why/verdict-of-address.ts';
import { alsoSaid, alsoWrong, verdictOfPage } from '#bin/daybook/why/verdict-of-page.ts';
import { expectedReport } from '#watch/delivery-watch/expected-pages.ts';
import { deliveryOf, unreadableDelivery } from '#watch/delivery-watch/delivery.ts';
import { settledStatus } from '#records/ledger/ledger-rounds.ts';
import { STOPPED_BY_READER, type Ledger, type RecipientStatus } from '#records/ledger/ledger.ts';
import type { CheckRecord } from '#records/revision/check-record.ts';
import { addressHash } from '#records/storage/keys.ts';
import { textLike } from '#support/assertions/index.ts';
import { aLedger, anEntry, FIGURES, LEDGER_AT as AT } from '#support/records/manifests.ts';

const CODE = '700001';
const DAY = '2026-11-20';
const A = 'a@merchants.example';
const B = 'b@merchants.example';
const DUE = Date.parse('2026-11-21T03:00:00Z');
const HOUR = 3_600_000;

function ledgerOf(statuses: Record<string, RecipientStatus>, more: Partial<Ledger> = {}): Ledger {
  const failed = { reason: 'MessageRejected', tries: 2 };
  const recipients = Object.entries(statuses).map(([address, status]) =>
    anEntry(addressHash(address), status, status === 'failed' ? failed : {}),
  );
  const begun = { status: 'intended', figures: FIGURES, until: '2026-11-21T03:01:09.000Z' } as const;
  const ledger = aLedger(recipients, begun);
  return { ...ledger, status: settledStatus(ledger), ...more };
}

const CHECK: CheckRecord = {
  merchantCode: CODE,
  day: DAY,
  checkedAt: AT,
  pull: 'p',
  outcome: 'sealed',
  revision: 1,
  scheduledTime: null,
  error: null,
  asOf: AT,
  mail: null,
  refundIds: null,
};

const IDLE: QueueFacts = { lastTick: '2026-11-21T04:45:00.000Z', counts: [], putAside: null };

const PUT_ASIDE: QueueFacts = {
  ...IDLE,
  putAside: {
    queue: 'reports',
    message: { merchantCode: CODE, days: [DAY], send: true, scheduledTime: '2026-11-21T03:00:00Z' },
    reason: `${DAY}: LoginRefusedError: the service refused the login`,
    failed: [{ day: DAY, error: 'LoginRefusedError' }],
    since: '2026-11-21T03:24:00.000Z',
  },
};

interface Given extends Partial<Omit<WhyFacts, 'delivery' | 'page'>> {
  sealed?: boolean;
  balanced?: boolean;
  entry?: 'usable' | 'not usable' | 'gone';
}

const CLOCK = { dueAt: DUE, deadline: DUE, watchedAt: DUE + HOUR, issueUntil: null, followedUntil: DUE };
const DAY_PAGE = { soFarUntil: null, added: new Map<string, number>(), missing: [], unbalanced: [] };

/** Facts of a merchant's day, with what the watch itself says of them. */
function factsOf({ sealed = true, balanced = true, entry = 'usable', ...given }: Given): WhyFacts {
  const now = given.now ?? DUE + 2 * HOUR;
  const isUsable = entry === 'usable';
  const who = {
    owner: { merchantCode: CODE },
    name: isUsable ? 'Al Noor' : null,
    entry,
    recipients: isUsable ? [A, B] : [],
  };
  const page = expectedReport(who, { day: DAY, isDue: CLOCK.watchedAt <= now }, 'Asia/Kuwait');
  const check = 'check' in given ? given.check : sealed ? CHECK : undefined;
  const found = sealed
    ? { revision: 1, isGood: balanced, asOf: AT }
    : { revision: undefined, isGood: undefined };
  const records = { ...found, check, ledger: given.mail, hasParts: sealed };
  const { unreadable = null } = given;
  return {
    page,
    clock: CLOCK,
    problem: null,
    reportFrom: undefined,
    isForGroup: false,
    isLocal: false,
    pulledAgainAt: [],
    parts: [],
    now,
    queues: IDLE,
    check,
    revisions: sealed
      ? [{ ...DAY_PAGE, revision: 1, sealedAt: AT, isGood: balanced, invoices: 12, ledger: given.mail }]
      : [],
    mail: undefined,
    stops: new Map<string, StopFacts>(),
    wasNotified: false,
    unreadable,
    delivery: unreadable === null ? deliveryOf(page, records, now) : unreadableDelivery(page),
    ...given,
  };
}

const STOP = new Map<string, StopFacts>([
  [addressHash(A), { reason: 'hard bounce', byReader: false, at: AT }],
]);
const UNSEALED = { pull: null, revision: null, asOf: null };
const FAILED = { ...CHECK, ...UNSEALED, outcome: 'failed', error: 'CipherError' } as const;

/** A mail to both addresses, or to A alone. */
function sent(a: RecipientStatus, b?: RecipientStatus): Given {
  return { mail: ledgerOf({ [A]: a, ...(b !== undefined && { [B]: b }) }) };
}

/** A mail that went to nobody, because A is stopped for this reason. */
function stoppedBy(reason: string): Given {
  const mail = ledgerOf({ [A]: 'skipped' });
  const why = `mail to this address is stopped: ${reason}`;
  return { mail: { ...mail, recipients: mail.recipients.map((entry) => ({ ...entry, reason: why })) } };
}

function nothing(nothingToSend: string): Given {
  return { mail: ledgerOf({}, { status: 'skipped', nothingToSend }) };
}

function notSealed(more: Given = {}): Given {
  return { sealed: false, ...more };
}

const lastTick = (at: string | null) => notSealed({ queues: { ...IDLE, lastTick: at } });
const BEGUN = { mail: ledgerOf({ [A]: 'accepted' }, { status: 'intended' }) };
const WAITING: QueueFacts = { ...IDLE, counts: [{ name: 'reports', waiting: 12, putAside: 0 }] };
const REJECTED: Given = { entry: 'not usable', problem: 'reportAt: must be HH:MM' };
const REPORT = `report ${CODE} --day ${DAY}`;
const RESEND = `${REPORT} --resend --failed`;
const LIST = 'suppression list';

const endings: [ending: Ending, sentence: RegExp, facts: Given, command?: string][] = [
  ['delivered', /delivered to 2 recipients, last at 2026-11-21 06:00/, sent('delivered', 'delivered')],
  ['delivered', /delivered to 1 recipient.* 1 recipient got none/, sent('skipped', 'delivered'), LIST],
  ['mailed', /delivered to 1 rec.*took the mail for 1 recipient.*says yet/, sent('delivered', 'accepted')],
  ['nothing to send', /not asked for/, nothing('not asked for'), `${REPORT} --resend`],
  ['nothing to send', /the day is empty/, nothing('the day is empty')],
  ['not due yet', /due at 2026-11-21 06:00.*until 2026-11-21 07:00/, notSealed({ now: DUE - HOUR })],
  ['before reportFrom', /is 2026-12-01/, notSealed({ reportFrom: '2026-12-01' }), REPORT],
  ['in the queue', /No pull is recorded yet/, notSealed({ queues: WAITING }), REPORT],
  ['put aside', /since 2026-11-21 06:24: 2026-11-20: LoginRef/, notSealed({ queues: PUT_ASIDE }), REPORT],
  ['plan did not run', /tick of plan came after.*05:45/, lastTick('2026-11-21T02:45:00.000Z'), 'doctor'],
  ['plan did not run', /No tick is known at all/, lastTick(null), 'doctor'],
  ['never planned', /the queues are empty/, notSealed(), REPORT],
  ['pull failed', /ended at 2026-11-21 06:00 with CipherError/, notSealed({ check: FAILED }), REPORT],
  ['no mail begun', /the run died after the seal/, {}, REPORT],
  ['under way', /sending the mail now/, { ...BEGUN, now: Date.parse(AT) + 5_000 }],
  ['mail not finished', /did not finish/, BEGUN, RESEND],
  ['mail refused', /1 recipient .*Rejected\). It was tried 2 times/, sent('accepted', 'failed'), RESEND],
  ['held', /whether the mail reached 1/, sent('accepted', 'held'), RESEND],
  ['bounced', /came back from 1 recipient/, sent('accepted', 'bounced'), LIST],
  ['complained', /marked as unwanted by 1 recipient/, sent('accepted', 'complained'), LIST],
  ['bounced', /stopped, because an earlier mail came back/, stoppedBy('hard bounce'), LIST],
  ['stopped', /Mail to every recipient is stopped, so nobody/, stoppedBy('on holiday'), LIST],
  ['unbalanced', /not agree/, { balanced: false, ...sent('delivered', 'delivered') }, REPORT],
  ['entry rejected', /reportAt: must be/, notSealed(REJECTED), 'registry pull'],
  ['not in the registry', /has no merchant 700001 any more/, notSealed({ entry: 'gone' })],
  ['not readable', /because object days is not usable/, { unreadable: 'object days is not usable' }],
];

describe('verdict', () => {
  it.each(endings)('%s: %s', (ending, sentence, given, command) => {
    const found = verdictOfPage(factsOf(given));
    expect(found).toMatchObject({ ending, sentence: textLike(sentence) });
    expect(found.commands[0]?.join(' ')).toBe(command);
    // Every trouble has what to do and where to read on, and nothing else has.
    expect(found.readOn !== null).toBe(isTrouble(found));
    if (isTrouble(found)) expect(found.toDo).not.toBeNull();
  });

  it('says what else is to be looked at', () => {
    const problem = 'reportAt: must be HH:MM';
    const facts = factsOf({ entry: 'not usable', problem, balanced: false, mail: ledgerOf({ [A]: 'held' }) });
    const found = verdictOfPage(facts);
    expect(found).toMatchObject({ ending: 'held' });
    expect(alsoWrong(facts, found).join(' ')).toMatch(/reportAt: must be HH:MM.*not balanced/);
    const well = factsOf({ mail: ledgerOf({ [A]: 'delivered', [B]: 'delivered' }) });
    expect(alsoWrong(well, verdictOfPage(well))).toEqual([]);
    const aside = { ...well, queues: PUT_ASIDE };
    expect(alsoWrong(aside, verdictOfPage(aside)).join(' ')).toMatch(/among the dead letters since/);
  });
});

describe('mails that readers stopped', () => {
  const byReaders = (ledger: Ledger): Ledger => ({
    ...ledger,
    recipients: ledger.recipients.map((entry) =>
      entry.status === 'skipped' ? { ...entry, reason: STOPPED_BY_READER } : entry,
    ),
  });
  const stops = new Map([[addressHash(B), { reason: STOPPED_BY_READER, byReader: true, at: AT }]]);

  it('are no trouble, of the page and of the address, and nothing sends them again', () => {
    const facts = factsOf({ mail: byReaders(ledgerOf({ [A]: 'skipped', [B]: 'skipped' })), stops });
    expect(facts.delivery).toMatchObject({ missing: null, mail: 'stopped by readers' });
    const [ofPage, ofAddress] = [verdictOfPage(facts), verdictOfAddress(facts, B)];
    expect([ofPage, ofAddress].map(isTrouble)).toEqual([false, false]);
    expect(ofPage.sentence).toMatch(/^Every recipient stopped these mails with one click/);
    expect(ofAddress.sentence).toMatch(/Its reader stopped these mails with one click at 2026/);
    expect(ofAddress.commands[0]).toEqual(['suppression', 'remove', B, '--reader']);
    expect(whatComesNext(facts, ofPage)).toEqual(['Nothing sends this mail again by itself.']);
  });

  it('are said beside those that arrived, and hide no other trouble', () => {
    const verdictWith = (status: RecipientStatus) =>
      verdictOfPage(factsOf({ mail: byReaders(ledgerOf({ [A]: status, [B]: 'skipped' })) }));
    const sentence = textLike(/1 recipient got none, because its reader stopped/);
    expect(verdictWith('delivered')).toMatchObject({ ending: 'delivered', sentence });
    expect(verdictWith('bounced')).toMatchObject({ ending: 'bounced' });
  });
});

describe('all rounds and all recipients', () => {
  it('say who was added after the mail, and what became of a later round', () => {
    const ledger = ledgerOf({ [A]: 'delivered' });
    const second = anEntry(addressHash(A), 'bounced', { round: 2 });
    const mail = { ...ledger, round: 2, recipients: [...ledger.recipients, second] };
    const facts = factsOf({ mail });
    const found = verdictOfPage(facts);
    expect(found).toMatchObject({ ending: 'delivered' });
    expect(alsoSaid(facts, found)).toEqual([
      '1 recipient got none: added to the recipients after the mail.',
      'Round 2 to a recipient who has the mail: came back.',
    ]);
    const all = factsOf({ mail: ledgerOf({ [A]: 'delivered', [B]: 'accepted' }) });
    expect(alsoSaid(all, verdictOfPage(all))).toEqual([]);
  });

  it.each([
    [{ now: DUE + 47 * HOUR }, 'No event says yet that it was delivered.'],
    [{ now: DUE + 49 * HOUR }, 'after two days none will come.'],
    [{ isLocal: true }, 'A local run has no events'],
  ])('say whether an event of the delivery may still come: %j', (given, says) => {
    const facts = factsOf({ ...sent('accepted', 'accepted'), ...given });
    expect(verdictOfPage(facts).sentence).toContain(says);
    expect(verdictOfAddress(facts, A).sentence).toContain(says);
  });
});

describe('what comes next', () => {
  const MORNINGS = { pulledAgainAt: [DUE + 24 * HOUR, DUE + 72 * HOUR] };
  const LATER = /^Later reports pull this day again .*: 2026-11-22 06:00, 2026-11-24 06:00\./;
  /** A pull that failed at a quarter past six. */
  const failed = (tries: number, error: string, scheduledTime: string | null = AT): Given => {
    const failure = { says: 'login: the service failed (HTTP 503)', status: 503, tries, since: AT };
    const check = { ...FAILED, error, failure, scheduledTime, checkedAt: '2026-11-21T03:15:00.000Z' };
    return notSealed({ check, now: Date.parse('2026-11-21T03:16:00Z'), queues: WAITING });
  };
  const MAY_BE = /^Its message may be among 12 in the queues/;

  it.each<[string, Given, RegExp]>([
    ['after a first failure', failed(1, 'ServerError'), /between 2026-11-21 06:17 and .*06:36: try 2 of 3/],
    ['after a second', failed(2, 'ServerError'), /between 2026-11-21 06:25 and .*07:00: try 3 of 3/],
    ['after the last', failed(3, 'ServerError'), MAY_BE],
    ['after it was moved back', failed(4, 'ServerError'), /try 2 of 3/],
    ['after an error that lasts', failed(1, 'LoginRefusedError'), MAY_BE],
    ['after a person ran it', failed(1, 'ServerError', null), MAY_BE],
    ['later', { ...failed(1, 'ServerError'), now: DUE + HOUR }, MAY_BE],
    ['with an empty queue', { ...failed(3, 'ServerError'), queues: IDLE }, /^No queue has a message/],
    ['put aside', notSealed({ queues: PUT_ASIDE }), /^Its message is not tried again by itself/],
    ['without a tick', lastTick(null), /^The next tick of plan makes up for it, until 2026-11-22 06:00/],
    ['a mail that was refused', sent('accepted', 'failed'), /^No queue has a message/],
    ['not balanced', { balanced: false, ...sent('delivered', 'delivered') }, LATER],
    ['bounced', sent('accepted', 'bounced'), /^Nothing sends this mail again by itself/],
  ])('%s', (_, given, says) => {
    const facts = factsOf({ ...given, ...MORNINGS });
    const next = whatComesNext(facts, verdictOfPage(facts));
    expect(next[0]).toMatch(says);
    if (!/Nothing sends/.test(next[0] ?? '')) expect(next.at(-1)).toMatch(LATER);
  });

  it('says nothing of a report that arrived, and that no later report pulls an old day', () => {
    const well = factsOf(sent('delivered', 'delivered'));
    expect(whatComesNext(well, verdictOfPage(well))).toEqual([]);
    const old = factsOf(failed(3, 'ServerError'));
    const found = verdictOfPage(old);
    expect(found.sentence).toContain(
      'with ServerError: login: the service failed (HTTP 503). It was tried 3 times, first at 2026-11-21 06:00.',
    );
    expect(whatComesNext(old, found).at(-1)).toBe('No later report pulls this day again.');
  });
});

describe('verdict of one address', () => {
  const AGAIN = `${REPORT} --resend --only ${A}`;
  const REMOVE = `suppression remove ${A}`;
  it.each<[string, Given, Ending, RegExp, string?]>([
    ['delivered', sent('delivered', 'held'), 'delivered', /to this address at 2026-11-21 06:00/],
    ['accepted', sent('accepted'), 'mailed', /No event says yet/],
    ['held', sent('held'), 'held', /not known whether/, AGAIN],
    ['refused', sent('failed'), 'mail refused', /MessageRejected. It was tried 2 times/, AGAIN],
    ['stopped', { ...sent('bounced'), stops: STOP }, 'stopped', /came back at .*stopped since/, REMOVE],
    ['bounced', sent('bounced'), 'bounced', /came back/, AGAIN],
    ['complained', sent('complained'), 'complained', /unwanted/, `merchant set ${CODE} recipients=${B}`],
    ['skipped', { ...sent('skipped'), stops: STOP }, 'stopped', /skipped.*stopped since/, REMOVE],
    ['not stopped any more', sent('skipped', 'delivered'), 'not written to', /was skipped/, AGAIN],
    ['new', { mail: ledgerOf({ [B]: 'delivered' }) }, 'not written to', /became a recipient later/, AGAIN],
    ['a day without a run', notSealed(), 'never planned', /the queues are empty/, REPORT],
    ['nothing to send', nothing('the day is empty'), 'nothing to send', /the day is empty/],
  ])('%s', (_name, given, ending, sentence, command) => {
    const found = verdictOfAddress(factsOf(given), A);
    expect(found).toMatchObject({ ending, sentence: textLike(sentence) });
    expect(found.commands[0]?.join(' ')).toBe(command);
  });

  it('an address that is no recipient, with the one that was meant', () => {
    const found = verdictOfAddress(factsOf(sent('delivered')), 'a@merchant.example');
    const sentence = textLike(/Did you mean a@merchants\.example\?/);
    expect(found).toMatchObject({ ending: 'not a recipient', sentence });
  });
});

describe('timeline', () => {
  const whatHappened = (given: Given, address?: string) =>
    timeline(factsOf(given), address).map(({ what }) => what);

  it('has every step in the order of time', () => {
    const mail = ledgerOf({ [A]: 'delivered', [B]: 'held' });
    const given = { mail, stops: STOP, wasNotified: true, queues: PUT_ASIDE };
    expect(whatHappened(given)).toEqual([
      'it was due',
      'pulled and sealed as revision 1 (balanced, 12 invoices)',
      'revision 1: mail begun (report)',
      `revision 1: mail to ${A}: delivered`,
      `revision 1: mail to ${B}: held`,
      `mail to ${A} stopped: hard bounce`,
      'its message was put aside',
      'deadline of the watch; it has notified the operators of this page',
    ]);
    const times = timeline(factsOf(given)).map(({ at }) => at);
    expect(times).toEqual(times.toSorted());
  });

  it('can be about one address, and names others by their hash only', () => {
    const gone = 'gone@merchants.example';
    const mail = ledgerOf({ [A]: 'delivered', [gone]: 'bounced' });
    expect(whatHappened({ mail }, A).join()).not.toContain('came back');
    const named = `revision 1: mail to address ${addressHash(gone).slice(0, 12)}…: came back`;
    expect(whatHappened({ mail })).toContain(named);
  });

  it('says what a failed or unchanged pull was, and that the day changed', () => {
    expect(whatHappened({ sealed: false, check: FAILED })).toContain('last pull failed: CipherError');
    const ledger = ledgerOf({}, { status: 'skipped', nothingToSend: 'not asked for' });
    const revisions = [1, 2].map((revision) => ({
      ...DAY_PAGE,
      ...{ revision, sealedAt: AT, isGood: revision === 2, invoices: null, ledger },
    }));
    const check = { ...CHECK, outcome: 'unchanged', revision: 2 } as const;
    expect(whatHappened({ check, revisions })).toEqual(
      expect.arrayContaining([
        'last pull: unchanged since revision 2',
        'changed at the service, pulled and sealed again as revision 2 (balanced)',
        'revision 2: no mail (not asked for)',
      ]),
    );
  });
});
