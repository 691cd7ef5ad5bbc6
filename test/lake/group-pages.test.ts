import type { GroupPage } from '#page/figures/group-page.ts';
import type { TrinoRow } from '#sandbox/trino/index.ts';
import type { Ledger } from '#records/ledger/ledger.ts';
import { composeGroup, memberOfDay, memberOfStatement } from '#page/figures/compose-group.ts';
import type { AddedMember, GroupSubject } from '#page/figures/compose-group.ts';
import { addressHash, ledgerKey, pageKey, pageLedgerKey } from '#records/storage/keys.ts';
import type { PagePlace } from '#records/storage/keys.ts';
import { aLedger, anEntry } from '#support/records/manifests.ts';
import { defined } from '#support/assertions/index.ts';
import { BUCKET, HistoryLake } from '#support/lake/history-lake.ts';
import { sortedRows } from '#support/lake/running-lake.ts';
import { writeLedger } from '#support/pages/generated-lake.ts';
import { GeneratedStatements } from '#support/pages/generated-statements.ts';
import type { GeneratedMerchant } from '#support/pages/generated-statements.ts';
import {
  expectedInvoices,
  expectedNet,
  expectedPeriod,
  expectedRefunds,
  moment,
} from '../support/lake/expected.ts';

const UNKNOWN = {
  counts: { total: null, paid: null, notPaid: null, cancelled: null, other: null },
  amounts: null,
};

/** In the row of a page without a currency. */
const NO_SUMS: TrinoRow = {
  currency: null,
  merchants: null,
  ...expectedInvoices(UNKNOWN),
  refunds: null,
  refund_amount: null,
  received: null,
  refunded: null,
  pending_refunds: null,
  pending_refund_amount: null,
  charge_columns: null,
  charges: null,
  net: null,
  net_unknown: null,
};

/** A group's page as `latest_group_pages` has it. */
function expectedGroupPages(page: GroupPage): TrinoRow[] {
  const sums = Object.entries(page.byCurrency).map(([currency, sum]): TrinoRow => ({
    currency,
    merchants: String(sum.merchants),
    ...expectedInvoices(sum),
    ...expectedRefunds(sum.refunds),
    ...expectedNet(sum.net),
  }));
  return (sums.length === 0 ? [NO_SUMS] : sums).map((sum) => ({
    ...expectedPeriod(page.period),
    group_name: page.group,
    revision: String(page.revision),
    from_date: page.from,
    to_date: page.to,
    sealed_at: moment(page.sealedAt),
    scheduled_time: moment(page.scheduledTime),
    final: page.final,
    missing_merchants: String(page.missing.length),
    missing: JSON.stringify(page.missing),
    ...sum,
    digest: page.digest,
    previous: page.previous,
  }));
}

/** A group's page as `latest_group_merchants` has it. */
function expectedGroupMerchants({ period, group, revision, merchants }: GroupPage): TrinoRow[] {
  return merchants.map((member) => ({
    ...expectedPeriod(period),
    group_name: group,
    revision: String(revision),
    merchant_code: member.merchantCode,
    merchant_name: member.name,
    currency: member.currency,
    merchant_revision: String(member.revision),
    from_date: member.from,
    to_date: member.to,
    balanced: member.balanced,
    final: member.final,
    ...expectedInvoices(member),
    ...expectedRefunds(member.refunds),
    received: member.received,
    refunded: member.refunded ?? null,
    net: member.net,
    usual_received: member.usual?.received ?? null,
    usual_invoices: member.usual?.total ?? null,
  }));
}

const TODAY = '2026-11-24';
const DAY = '2026-11-20';
const WEEK = '2026-W47';
const SEALED_AT = `${TODAY}T06:00:00.000Z`;

function merchant(code: string, currency: string, gaps: boolean): GeneratedMerchant {
  return { merchantCode: code, currency, weekStart: 'sunday', charges: [], gaps };
}
const MERCHANTS = [
  merchant('700001', 'KWD', false),
  merchant('700002', 'USD', true),
  merchant('700003', 'KWD', false),
];
const NAMES = ['Al Noor "Trading"', "شركة الأفق {'a':1}", 'O’Neil, Ltd.\\'];
/** This merchant is in no group's sums. */
const MISSING: GroupPage['missing'] = [{ merchantCode: '700004', name: 'Palm Court', reason: 'not-sealed' }];

const lake = await HistoryLake.start({ today: TODAY, firstDay: '2026-11-01' });
const { aws, put } = lake;
/** The newest revision of each page. */
const pages: GroupPage[] = [];

async function sealGroup(
  subject: GroupSubject,
  members: AddedMember[],
  revision: number,
): Promise<GroupPage> {
  const { group, period } = subject;
  const place = { owner: { group }, period };
  const page: GroupPage = {
    ...composeGroup(subject, members, members.length === 0 ? [] : MISSING, []),
    revision,
    sealedAt: SEALED_AT,
    scheduledTime: null,
    previous: revision === 1 ? null : pageKey({ ...place, revision: revision - 1 }),
  };
  await put(pageKey({ ...place, revision }), `${JSON.stringify(page)}\n`);
  return page;
}

async function sealLedger(place: PagePlace, kind: Ledger['kind'], status: 'delivered' | 'bounced') {
  const key = pageLedgerKey(place);
  const [at, to] = [SEALED_AT, addressHash('owner@example.com')];
  const ledger = aLedger([anEntry(to, status, { messageId: 'message-1', at })], {
    ...{ key, status, kind, corrects: kind === 'correction' ? place.revision - 1 : null },
    ...{ intendedAt: at, until: at, nothingToSend: null },
  });
  await put(key, `${JSON.stringify(ledger)}\n`);
}

const STATEMENT = { owner: { merchantCode: '700001' }, period: WEEK };
const GROUP_WEEK = { owner: { group: 'shops' }, period: WEEK, revision: 1 };
const GROUP_DAY = { owner: { group: 'shops' }, period: DAY, revision: 1 };

beforeAll(async () => {
  const sealed = new GeneratedStatements(put, 53);
  const ofDay: AddedMember[] = [];
  const ofWeek: AddedMember[] = [];
  for (const [index, one] of MERCHANTS.entries()) {
    const name = defined(NAMES[index]);
    ofDay.push(
      memberOfDay(await sealed.sealDay(one, DAY), { ...one, name, timeZone: 'Asia/Kuwait', redact: [] }),
    );
    ofWeek.push(memberOfStatement(await sealed.sealStatement(one, WEEK, SEALED_AT), { name }));
  }
  const week = { period: WEEK, from: '2026-11-15', to: '2026-11-21' };
  await sealGroup({ group: 'shops', ...week }, ofWeek.slice(0, 1), 1);
  pages.push(await sealGroup({ group: 'shops', ...week }, ofWeek, 2));
  pages.push(await sealGroup({ group: 'shops', period: DAY, from: DAY, to: DAY }, ofDay, 1));
  pages.push(await sealGroup({ group: 'nobody', ...week }, [], 1));

  await sealLedger({ ...STATEMENT, revision: 1 }, 'statement', 'bounced');
  await sealLedger({ ...STATEMENT, revision: 2 }, 'correction', 'delivered');
  await sealLedger(GROUP_WEEK, 'group', 'delivered');
  await sealLedger(GROUP_DAY, 'group', 'delivered');
  await writeLedger(put, { merchantCode: '700001', day: DAY, revision: 1, pulledAt: SEALED_AT }, [
    'delivered',
  ]);
});
afterAll(() => lake.close());

/** A query without it lists every day, week and month of the year. */
const OF_THESE = `year = '2026' AND part IN ('W47', '11-20')`;

it('latest_group_pages has the sums of each newest page by currency, value for value', async () => {
  const rows = await lake.query(`SELECT * FROM latest_group_pages WHERE ${OF_THESE}`);
  const order = ['period', 'group_name', 'currency'];
  expect(sortedRows(rows, ...order)).toEqual(sortedRows(pages.flatMap(expectedGroupPages), ...order));
  // Two currencies in two pages, and a page without a merchant.
  expect(rows).toHaveLength(5);
});

it('latest_group_merchants has the merchants of each newest page, value for value', async () => {
  const rows = await lake.query(`SELECT * FROM latest_group_merchants WHERE ${OF_THESE}`);
  const order = ['period', 'group_name', 'merchant_code'];
  expect(sortedRows(rows, ...order)).toEqual(sortedRows(pages.flatMap(expectedGroupMerchants), ...order));
  expect(rows).toHaveLength(6);
});

it("groups' pages and merchants' statements in the same folders stay apart", async () => {
  const statements = await lake.query(
    `SELECT period, merchant_code, revision FROM latest_statements WHERE ${OF_THESE}`,
  );
  expect(sortedRows(statements, 'merchant_code')).toEqual(
    MERCHANTS.map(({ merchantCode }) => ({ period: WEEK, merchant_code: merchantCode, revision: '1' })),
  );
});

it.each(["year = '2026' AND part = '11-20'", "period = '2026-11-20'"])(
  'a condition on the period limits what latest_group_pages reads and lists: %s',
  async (condition) => {
    const before = aws.requests.length;
    const rows = await lake.query(`SELECT DISTINCT period_kind FROM latest_group_pages WHERE ${condition}`);
    expect(rows).toEqual([{ period_kind: 'day' }]);
    const asked = aws.requests.slice(before).filter(({ key = '' }) => key.startsWith('statements/'));
    expect(new Set(asked.map(({ key }) => key))).toEqual(
      new Set([`statements/period=${DAY}/`, pageKey(GROUP_DAY)]),
    );
  },
);

describe('latest_statement_mail', () => {
  it('says what became of the mail of statements and of groups', async () => {
    const rows = await lake.query(
      `SELECT period, merchant_code, group_name, revision, kind, corrects, status, recipients, delivered, bounced
       FROM latest_statement_mail WHERE ${OF_THESE}`,
    );
    const delivered = { status: 'delivered', recipients: '1', delivered: '1', bounced: '0', corrects: null };
    const bounced = { ...delivered, status: 'bounced', delivered: '0', bounced: '1' };
    const ofGroup = { ...delivered, kind: 'group', revision: '1', group_name: 'shops', merchant_code: null };
    const ofMerchant = { period: WEEK, group_name: null, merchant_code: '700001' };
    const expected = [
      { ...ofGroup, period: DAY },
      { ...ofGroup, period: WEEK },
      { ...delivered, ...ofMerchant, kind: 'correction', revision: '2', corrects: '1' },
      { ...bounced, ...ofMerchant, kind: 'statement', revision: '1' },
    ];
    expect(sortedRows(rows, 'period', 'kind')).toEqual(sortedRows(expected, 'period', 'kind'));
  });

  it('has no mail of days, and latest_mail has no mail of statements and groups', async () => {
    const keys = async (table: string) =>
      (await lake.query(`SELECT key FROM ${table} ORDER BY 1`)).map(({ key }) => key);
    expect(await keys('mail')).toEqual([ledgerKey(DAY, '700001', 1)]);
    expect(await keys('statement_mail')).toEqual(
      [
        pageLedgerKey({ ...STATEMENT, revision: 1 }),
        pageLedgerKey({ ...STATEMENT, revision: 2 }),
        pageLedgerKey(GROUP_WEEK),
        pageLedgerKey(GROUP_DAY),
      ].toSorted(),
    );
    expect(await lake.query(`SELECT day, merchant_code FROM latest_mail WHERE day = '${DAY}'`)).toEqual([
      { day: DAY, merchant_code: '700001' },
    ]);
  });
});

it("an object that is no page stops the queries of its period's groups, which name it, and no others", async () => {
  const key = 'statements/period=2026-W48/group=shops/r0001.json';
  await put(key, 'null\n');
  const count = (view: string, part: string) =>
    lake.query(`SELECT count(*) AS n FROM ${view} WHERE year = '2026' AND part = '${part}'`);
  try {
    await expect(count('latest_group_pages', 'W48')).rejects.toThrow(`a line is no page of a group: ${key}`);
    expect(await count('latest_statements', 'W48')).toEqual([{ n: '0' }]);
    expect(await count('latest_group_pages', 'W47')).toEqual([{ n: '3' }]);
  } finally {
    await aws.s3.remove(BUCKET, key);
  }
});
