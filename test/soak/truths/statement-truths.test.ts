import type { Ledger } from '#records/ledger/ledger.ts';
import { daysOf, periodDays } from '#records/period/period.ts';
import type { Manifest } from '#records/revision/manifest.ts';
import { composeGroup, memberOfDay } from '#page/figures/compose-group.ts';
import type { GroupPage } from '#page/figures/group-page.ts';
import { composeStatement } from '#page/figures/compose-statement.ts';
import { figuresOfStatement, type Statement } from '#page/figures/statement.ts';
import { addressHash, manifestKey, pageKey, pageLedgerKey } from '#records/storage/keys.ts';
import { evidenceOf } from '#soak/truths/evidence.ts';
import { groupMails, statementMails } from '#soak/truths/statement-mails.ts';
import { statementSums } from '#soak/truths/statement-sums.ts';
import { defined } from '#support/assertions/index.ts';
import { aLedger, anEntry, placedManifest } from '#support/records/manifests.ts';

/* A check that cannot fail proves nothing: each test damages one part of a week that is right. */

const [CODE, A, CHIEF] = ['700001', 'a@merchants.example', 'chief@groups.example'];
const AT = '2026-11-22T05:00:00.000Z';
const PERIOD = '2026-W47';
const WEEK = periodDays(PERIOD, 'sunday');
const [FIRST_DAY = ''] = daysOf(WEEK);
const GROUP = { name: 'owners', codes: [CODE], recipients: [CHIEF], days: [FIRST_DAY] };

interface Run {
  manifests: Manifest[];
  statements: Statement[];
  page: GroupPage;
  ledgers: Map<string, Ledger>;
}

function ledgerFor(address: string, figures: Ledger['figures']): Ledger {
  const entry = anEntry(addressHash(address), 'accepted', { messageId: 'm-1' });
  return aLedger([entry], { kind: 'statement', figures });
}

const LEDGER = pageLedgerKey({ owner: { merchantCode: CODE }, period: PERIOD, revision: 1 });
const LEDGER_OF_GROUP = pageLedgerKey({ owner: { group: GROUP.name }, period: FIRST_DAY, revision: 1 });

function rightRun(): Run {
  const manifests = daysOf(WEEK).map((day) => placedManifest({ day }));
  const settings = { name: 'A', timeZone: 'Asia/Kuwait', currency: 'KWD', charges: [], redact: [] };
  const subject = { merchantCode: CODE, period: PERIOD, currency: 'KWD', charges: [], followed: [], ...WEEK };
  const sealed = { revision: 1, sealedAt: AT, scheduledTime: AT, previous: null };
  const statement = { ...composeStatement(subject, manifests), ...sealed, before: null, lastYear: null };
  const ofDay = { group: GROUP.name, period: FIRST_DAY, from: FIRST_DAY, to: FIRST_DAY };
  const members = manifests.slice(0, 1).map((manifest) => memberOfDay(manifest, settings));
  return {
    manifests,
    statements: [statement],
    page: { ...composeGroup(ofDay, members, [], []), ...sealed },
    ledgers: new Map([
      [LEDGER, ledgerFor(A, figuresOfStatement(statement))],
      [LEDGER_OF_GROUP, ledgerFor(CHIEF, null)],
    ]),
  };
}

function said(change: (run: Run) => void, due = [{ merchantCode: CODE, ...WEEK }]): string[] {
  const run = rightRun();
  change(run);
  const objects: [string, unknown][] = [
    ...run.manifests.map((one): [string, unknown] => [manifestKey(one.day, CODE, one.revision), one]),
    ...run.statements.map((one): [string, unknown] => {
      const { period, revision } = one;
      return [pageKey({ owner: { merchantCode: CODE }, period, revision }), one];
    }),
    [pageKey({ owner: { group: GROUP.name }, period: FIRST_DAY, revision: run.page.revision }), run.page],
    ...run.ledgers,
  ];
  const bodies = objects.map(([key, value]) => [key, Buffer.from(JSON.stringify(value))] as const);
  const evidence = evidenceOf(new Map(bodies), [], []);
  const reader = { throughout: () => [A], ever: [A], reportFrom: FIRST_DAY, stopped: new Set<string>() };
  const readers = new Map([[CODE, reader]]);
  return [
    ...statementSums(evidence, GROUP.codes),
    ...statementMails(evidence, { readers, statements: due }),
    ...groupMails(evidence, GROUP, new Set()),
  ].map(({ what }) => what);
}

const saying = (words: string): unknown[] => [expect.stringContaining(words)];

const statementOf = ({ statements: [statement] }: Run) => defined(statement);

const ledgerOf = ({ ledgers }: Run) => defined(ledgers.get(LEDGER));

it('the truths of statements find nothing wrong in a right week', () => {
  expect(said(() => undefined)).toEqual([]);
});

describe('the truths of statements find', () => {
  it('a sum that is wrong by a thousandth', () => {
    const wrong = (run: Run) => Object.assign(statementOf(run).amounts ?? {}, { notPaid: '213.501' });
    expect(said(wrong)).toContainEqual(expect.stringContaining('is not the sum of the days'));
  });

  it('a revision of a day that is not sealed, and one that is not the newest', () => {
    const unsealed = said((run) => Object.assign(statementOf(run).days[2] ?? {}, { revision: 2 }));
    expect(unsealed).toContainEqual(expect.stringContaining('names a revision of a day that is not sealed'));
    const newer = said((run) => run.manifests.push(placedManifest({ day: FIRST_DAY, revision: 2 })));
    expect(newer).toEqual(saying(`names revision 1 of ${FIRST_DAY}, which is not the newest`));
  });

  it('a later revision that names an older day', () => {
    const older = said((run) => {
      const [statement, later] = [statementOf(run), { ...structuredClone(statementOf(run)), revision: 2 }];
      run.manifests.push(placedManifest({ day: FIRST_DAY, revision: 2 }));
      Object.assign(statement.days[0] ?? {}, { revision: 2 });
      run.statements.push(later);
    });
    expect(older).toContainEqual(expect.stringContaining('names an older revision of a day'));
  });

  it('one that was due and is missing, and one that lacks a day', () => {
    const missing = said((run) => run.statements.pop());
    expect(missing).toEqual(saying('was due and is missing'));
    const lacking = said((run) => Object.assign(statementOf(run), { missing: [FIRST_DAY], final: false }));
    expect(lacking).toContainEqual(expect.stringContaining(`lacks ${FIRST_DAY}`));
  });

  it('a mail that nobody asked for, that went to a stranger, and that a recipient does not have', () => {
    expect(said(() => undefined, [])).toEqual(saying('is mailed, and nobody asked for it'));
    const stranger = said((run) =>
      run.ledgers.set(LEDGER, ledgerFor('z@else.example', ledgerOf(run).figures)),
    );
    expect(stranger).toEqual([
      expect.stringContaining('never was a recipient'),
      expect.stringContaining(`was not mailed to ${A}`),
    ]);
  });

  it('a ledger that is missing, and one with a false reason', () => {
    expect(said(({ ledgers }) => ledgers.delete(LEDGER))).toEqual(saying('has no ledger'));
    const reason = 'the mail of a week is not corrected';
    const skipped = said((run) => Object.assign(ledgerOf(run), { recipients: [], reason }));
    expect(skipped).toEqual(saying(`is skipped, which is not right: ${reason}`));
  });

  it('a page with another merchant, a wrong sum, a second revision, or a mail to somebody else', () => {
    const other = said(({ page }) =>
      page.merchants.push(...page.merchants.map((member) => ({ ...member, merchantCode: '700002' }))),
    );
    expect(other).toContainEqual(expect.stringContaining('shows 700002, which is not in its group'));
    const wrong = said(({ page }) => Object.assign(page.byCurrency['KWD']?.counts ?? {}, { total: 11 }));
    expect(wrong).toEqual(saying('is not the sum of the pages'));
    const again = said(({ page }) => Object.assign(page, { revision: 2 }));
    expect(again).toContainEqual(expect.stringContaining('was made again, and nobody asked for it'));
    const elsewhere = said((run) => run.ledgers.set(LEDGER_OF_GROUP, ledgerFor(A, null)));
    expect(elsewhere).toEqual([
      expect.stringContaining('was not mailed to everybody'),
      expect.stringContaining('was mailed to somebody else'),
    ]);
  });
});
