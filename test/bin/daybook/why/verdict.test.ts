import { describe, expect, it } from 'vitest';
import type { QueueFacts, StopFacts, WhyFacts } from '#bin/daybook/why/facts.ts';
import { timeline } from '#bin/daybook/why/timeline.ts';
import { isTrouble } from '#bin/daybook/why/verdict.ts';
import type { Ending } from '#bin/daybook/why/verdict.ts';
import { verdictOfAddress } from '#bin/daybook/why/verdict-of-address.ts';
import { alsoWrong, verdictOfPage } from '#bin/daybook/why/verdict-of-page.ts';
import { expectedReport } from '#watch/delivery-watch/expected-reports.ts';
import { deliveryOf, unreadableDelivery } from '#watch/delivery-watch/delivery.ts';
import { settledStatus } from '#mail/ledger/ledger-outcome.ts';
import type { Ledger, RecipientStatus } from '#mail/ledger/ledger.ts';
import type { CheckRecord } from '#records/revision/check-record.ts';
import { addressHash } from '#records/storage/keys.ts';
import { FIGURES } from '#support/domain/sealed-manifest.ts';

const CODE = '700001';
const DAY = '2026-11-20';
const A = 'a@merchants.example';
const B = 'b@merchants.example';
const DUE = Date.parse('2026-11-21T03:00:00Z');
const HOUR = 3_600_000;
const AT = '2026-11-21T03:00:09.000Z';

function ledgerOf(statuses: Record<string, RecipientStatus>, more: Partial<Ledger> = {}): Ledger {
  const ledger: Ledger = {
    status: 'intended',
    kind: 'report',
    figures: FIGURES,
    intendedAt: AT,
    until: '2026-11-21T03:01:09.000Z',
    writer: 'run',
    round: 1,
    reason: null,
    recipients: Object.entries(statuses).map(([address, status]) => ({
      to: addressHash(address),
      status,
      messageId: null,
      at: AT,
      reason: status === 'failed' ? 'MessageRejected' : null,
      round: 1,
    })),
  };
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

const IDLE: QueueFacts = { lastTick: '2026-11-21T04:45:00.000Z', waiting: 0, putAside: null };

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

const CLOCK = { dueAt: DUE, deadline: DUE, watchedAt: DUE + HOUR, issueUntil: null, closedAt: DUE };
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

const STOP = new Map<string, StopFacts>([[addressHash(A), { reason: 'hard bounce', at: AT }]]);
const FAILED = {
  ...CHECK,
  outcome: 'failed',
  error: 'CipherError',
  pull: null,
  revision: null,
  asOf: null,
} as const;

const endings: [ending: Ending, sentence: RegExp, facts: Given, command: string | undefined][] = [
  [
    'delivered',
    /delivered to 2 recipients, last at 2026-11-21 06:00/,
    { mail: ledgerOf({ [A]: 'delivered', [B]: 'delivered' }) },
    undefined,
  ],
  [
    'mailed',
    /took the mail for 2 recipients/,
    { mail: ledgerOf({ [A]: 'delivered', [B]: 'accepted' }) },
    undefined,
  ],
  [
    'nothing to send',
    /not asked for/,
    { mail: ledgerOf({}, { status: 'skipped', nothingToSend: 'not asked for' }) },
    `report ${CODE} --day ${DAY} --resend`,
  ],
  [
    'nothing to send',
    /the day is empty/,
    { mail: ledgerOf({}, { status: 'skipped', nothingToSend: 'the day is empty' }) },
    undefined,
  ],
  [
    'not due yet',
    /due at 2026-11-21 06:00.*until 2026-11-21 07:00/,
    { sealed: false, now: DUE - HOUR },
    undefined,
  ],
  [
    'before reportFrom',
    /first day of this merchant is 2026-12-01/,
    { sealed: false, reportFrom: '2026-12-01' },
    `report ${CODE} --day ${DAY}`,
  ],
  [
    'in the queue',
    /queue of the reports has 12 messages, and this one may be among them/,
    { sealed: false, queues: { ...IDLE, waiting: 12 } },
    `report ${CODE} --day ${DAY}`,
  ],
  [
    'put aside',
    /among the dead letters since 2026-11-21 06:24: 2026-11-20: LoginRefusedError: /,
    { sealed: false, queues: PUT_ASIDE },
    `report ${CODE} --day ${DAY}`,
  ],
  [
    'plan did not run',
    /No tick of plan came after.*2026-11-21 05:45/,
    { sealed: false, queues: { ...IDLE, lastTick: '2026-11-21T02:45:00.000Z' } },
    'doctor',
  ],
  [
    'plan did not run',
    /No tick is known at all/,
    { sealed: false, queues: { ...IDLE, lastTick: null } },
    'doctor',
  ],
  ['never planned', /its queue is empty/, { sealed: false }, `report ${CODE} --day ${DAY}`],
  [
    'pull failed',
    /ended at 2026-11-21 06:00 with CipherError/,
    { sealed: false, check: FAILED },
    `report ${CODE} --day ${DAY}`,
  ],
  ['no mail begun', /the run died after the seal/, {}, `report ${CODE} --day ${DAY}`],
  [
    'under way',
    /sending the mail now/,
    { mail: ledgerOf({ [A]: 'accepted' }, { status: 'intended' }), now: Date.parse(AT) + 5_000 },
    undefined,
  ],
  [
    'mail not finished',
    /did not finish/,
    { mail: ledgerOf({ [A]: 'accepted' }, { status: 'intended' }) },
    `report ${CODE} --day ${DAY} --resend --failed`,
  ],
  [
    'mail refused',
    /for 1 recipient .*MessageRejected/,
    { mail: ledgerOf({ [A]: 'accepted', [B]: 'failed' }) },
    `report ${CODE} --day ${DAY} --resend --failed`,
  ],
  [
    'held',
    /not known whether the mail reached 1 recipient/,
    { mail: ledgerOf({ [A]: 'accepted', [B]: 'held' }) },
    `report ${CODE} --day ${DAY} --resend --failed`,
  ],
  [
    'bounced',
    /came back from 1 recipient/,
    { mail: ledgerOf({ [A]: 'accepted', [B]: 'bounced' }) },
    'suppression list',
  ],
  [
    'complained',
    /marked as unwanted by 1 recipient/,
    { mail: ledgerOf({ [A]: 'accepted', [B]: 'complained' }) },
    'suppression list',
  ],
  [
    'bounced',
    /Mail to every recipient is stopped, because an earlier mail came back/,
    {
      mail: {
        ...ledgerOf({ [A]: 'skipped' }),
        recipients: ledgerOf({ [A]: 'skipped' }).recipients.map((entry) => ({
          ...entry,
          reason: 'mail to this address is stopped: hard bounce',
        })),
      },
    },
    'suppression list',
  ],
  [
    'stopped',
    /Mail to every recipient is stopped, so nobody/,
    {
      mail: {
        ...ledgerOf({ [A]: 'skipped' }),
        recipients: ledgerOf({ [A]: 'skipped' }).recipients.map((entry) => ({
          ...entry,
          reason: 'mail to this address is stopped: on holiday',
        })),
      },
    },
    'suppression list',
  ],
  [
    'unbalanced',
    /do not agree/,
    { balanced: false, mail: ledgerOf({ [A]: 'delivered', [B]: 'delivered' }) },
    `report ${CODE} --day ${DAY}`,
  ],
  [
    'entry rejected',
    /reportAt: must be/,
    { sealed: false, entry: 'not usable', problem: 'reportAt: must be HH:MM' },
    'registry pull',
  ],
  ['not in the registry', /has no merchant 700001 any more/, { sealed: false, entry: 'gone' }, undefined],
  [
    'not readable',
    /because object days\/… is not usable/,
    { unreadable: 'object days/… is not usable' },
    undefined,
  ],
];

describe('verdict', () => {
  it.each(endings)('%s: %s', (ending, sentence, given, command) => {
    const found = verdictOfPage(factsOf(given));
    expect(found.ending).toBe(ending);
    expect(found.sentence).toMatch(sentence);
    expect(found.commands[0]?.join(' ')).toBe(command);
  });

  it('says for every trouble what to do and where to read on, and for nothing else', () => {
    for (const [, , given] of endings) {
      const found = verdictOfPage(factsOf(given));
      expect([found.ending, found.readOn !== null]).toEqual([found.ending, isTrouble(found)]);
      if (isTrouble(found)) expect(found.toDo).not.toBeNull();
    }
  });

  it('says what else is to be looked at', () => {
    const problem = 'reportAt: must be HH:MM';
    const facts = factsOf({ entry: 'not usable', problem, balanced: false, mail: ledgerOf({ [A]: 'held' }) });
    const found = verdictOfPage(facts);
    expect(found.ending).toBe('held');
    expect(alsoWrong(facts, found).join(' ')).toMatch(/reportAt: must be HH:MM.*not balanced/);
    const well = factsOf({ mail: ledgerOf({ [A]: 'delivered', [B]: 'delivered' }) });
    expect(alsoWrong(well, verdictOfPage(well))).toEqual([]);
    const aside = { ...well, queues: PUT_ASIDE };
    expect(alsoWrong(aside, verdictOfPage(aside)).join(' ')).toMatch(/among the dead letters since/);
  });

  it('names the recipients whom a delivered mail did not go to', () => {
    const { sentence } = verdictOfPage(factsOf({ mail: ledgerOf({ [A]: 'skipped', [B]: 'delivered' }) }));
    expect(sentence).toContain('delivered to 1 recipient');
    expect(sentence).toContain('1 recipient got none');
  });
});

describe('verdict of one address', () => {
  const asked = { address: A, hash: addressHash(A) };
  it.each<[string, Given, Ending, RegExp, string | undefined]>([
    [
      'delivered',
      { mail: ledgerOf({ [A]: 'delivered', [B]: 'held' }) },
      'delivered',
      /delivered to this address at 2026-11-21 06:00/,
      undefined,
    ],
    ['accepted', { mail: ledgerOf({ [A]: 'accepted' }) }, 'mailed', /No event says yet/, undefined],
    [
      'held',
      { mail: ledgerOf({ [A]: 'held' }) },
      'held',
      /not known whether/,
      `report ${CODE} --day ${DAY} --resend --only ${A}`,
    ],
    [
      'refused',
      { mail: ledgerOf({ [A]: 'failed' }) },
      'mail refused',
      /MessageRejected/,
      `report ${CODE} --day ${DAY} --resend --only ${A}`,
    ],
    [
      'bounced and stopped',
      { mail: ledgerOf({ [A]: 'bounced' }), stops: STOP },
      'stopped',
      /came back at .* Mail to this address is stopped since 2026-11-21 06:00: hard bounce/,
      `suppression remove ${A}`,
    ],
    [
      'bounced, not stopped',
      { mail: ledgerOf({ [A]: 'bounced' }) },
      'bounced',
      /came back/,
      `report ${CODE} --day ${DAY} --resend --only ${A}`,
    ],
    [
      'complained',
      { mail: ledgerOf({ [A]: 'complained' }) },
      'complained',
      /unwanted/,
      `merchant set ${CODE} recipients=${B}`,
    ],
    [
      'skipped and stopped',
      { mail: ledgerOf({ [A]: 'skipped', [B]: 'delivered' }), stops: STOP },
      'stopped',
      /skipped.*stopped since/,
      `suppression remove ${A}`,
    ],
    [
      'skipped, not stopped any more',
      { mail: ledgerOf({ [A]: 'skipped', [B]: 'delivered' }) },
      'not written to',
      /was skipped/,
      `report ${CODE} --day ${DAY} --resend --only ${A}`,
    ],
    [
      'added later',
      { mail: ledgerOf({ [B]: 'delivered' }) },
      'not written to',
      /became a recipient later/,
      `report ${CODE} --day ${DAY} --resend --only ${A}`,
    ],
    [
      'a day without a run',
      { sealed: false },
      'never planned',
      /its queue is empty/,
      `report ${CODE} --day ${DAY}`,
    ],
    [
      'nothing to send',
      { mail: ledgerOf({}, { status: 'skipped', nothingToSend: 'the day is empty' }) },
      'nothing to send',
      /the day is empty/,
      undefined,
    ],
  ])('%s', (_name, given, ending, sentence, command) => {
    const found = verdictOfAddress(factsOf(given), asked);
    expect(found.ending).toBe(ending);
    expect(found.sentence).toMatch(sentence);
    expect(found.commands[0]?.join(' ')).toBe(command);
  });

  it('an address that is no recipient, with the one that was meant', () => {
    const typo = 'a@merchant.example';
    const found = verdictOfAddress(factsOf({ mail: ledgerOf({ [A]: 'delivered' }) }), {
      address: typo,
      hash: addressHash(typo),
    });
    expect(found).toMatchObject({ ending: 'not a recipient' });
    expect(found.sentence).toContain(`Did you mean ${A}?`);
  });
});

describe('timeline', () => {
  it('has every step in the order of time', () => {
    const mail = ledgerOf({ [A]: 'delivered', [B]: 'held' });
    const queues = PUT_ASIDE;
    const steps = timeline(factsOf({ mail, stops: STOP, wasNotified: true, queues }));
    expect(steps.map(({ what }) => what)).toEqual([
      'it was due',
      'pulled and sealed as revision 1 (balanced, 12 invoices)',
      'revision 1: mail begun (report)',
      `revision 1: mail to ${A}: delivered`,
      `revision 1: mail to ${B}: held`,
      `mail to ${A} stopped: hard bounce`,
      'its message was put aside',
      'deadline of the watch; it has notified the operators of this page',
    ]);
    expect(steps.map(({ at }) => at)).toEqual(steps.map(({ at }) => at).toSorted());
  });

  it('can be about one address, and names others by their hash only', () => {
    const mail = ledgerOf({ [A]: 'delivered', 'gone@merchants.example': 'bounced' });
    expect(
      timeline(factsOf({ mail }), addressHash(A))
        .map(({ what }) => what)
        .join('\n'),
    ).not.toContain('came back');
    const all = timeline(factsOf({ mail }))
      .map(({ what }) => what)
      .join('\n');
    expect(all).toContain(
      `revision 1: mail to address ${addressHash('gone@merchants.example').slice(0, 12)}…: came back`,
    );
  });

  it('says what a failed or unchanged pull was, and that the day changed', () => {
    const failed = timeline(factsOf({ sealed: false, check: FAILED })).map(({ what }) => what);
    expect(failed).toContain('last pull failed: CipherError');
    const two = factsOf({
      check: { ...CHECK, outcome: 'unchanged', revision: 2 },
      revisions: [1, 2].map((revision) => ({
        ...DAY_PAGE,
        revision,
        sealedAt: AT,
        isGood: revision === 2,
        invoices: null,
        ledger: ledgerOf({}, { status: 'skipped', nothingToSend: 'not asked for' }),
      })),
    });
    expect(timeline(two).map(({ what }) => what)).toEqual(
      expect.arrayContaining([
        'last pull: unchanged since revision 2',
        'changed at the service, pulled and sealed again as revision 2 (balanced)',
        'revision 2: no mail (not asked for)',
      ]),
    );
  });
});
