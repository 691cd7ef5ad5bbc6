import type { DailyReportAnswer } from '#page/daily-report/create-daily-report.ts';
import type { StatementAnswer } from '#page/statement/event-and-answer.ts';
import type { DayRefunds } from '#records/figures/figure-schemas.ts';
import type { Manifest } from '#records/revision/manifest.ts';
import { type PageId, type PageOwner, manifestKey } from '#records/storage/keys.ts';
import { defined } from '#support/assertions/index.ts';
import { aDayBefore, BREAKDOWN, FIGURES } from '#support/records/manifests.ts';
import { sealPage } from '#support/statement/statement-world.ts';
import { BUCKET, CODE, DAY, DaybookWorld } from '#support/world/daybook-world.ts';

/** The recipients of every page here. */
export const A = 'a@merchants.example';
export const B = 'b@merchants.example';

const OTHER = '700002';
const MONTH = '2026-11';
/** The day of the month that changes. */
const CHANGED = '2026-11-05';

/** A kind of page in a world: how its content comes about, how it is asked for, and what its figures are. */
export interface KindOfPage {
  name: string;
  functionName: 'daily-report' | 'statement';
  id: PageId;
  /** Another page of the same kind, of another owner and of another period. */
  others: { owner: PageOwner; period: string };
  /** The event without options. */
  event: (owner: PageOwner, period: string) => Record<string, unknown>;
  /** Makes what the page shows, of both owners. */
  arrange: (world: DaybookWorld) => Promise<void> | void;
  /** Changes a figure that the mail shows, to another value each time. */
  change: (world: DaybookWorld) => Promise<void>;
  /** What the mail shows, and a change of it alone. They are made one after another. */
  figures: Readonly<Record<string, (world: DaybookWorld) => unknown>>;
}

export type PageAnswer = DailyReportAnswer | StatementAnswer;

/** Asks for a page of a kind: its own unless another is named. @param options further members of the event */
export function askFor(
  world: DaybookWorld,
  { id, functionName, event }: KindOfPage,
  options: Record<string, unknown> = {},
  { owner, period }: PageId = id,
): Promise<PageAnswer> {
  const asked = { ...event(owner, period), ...options };
  return functionName === 'statement' ? world.statement(asked) : world.report(asked);
}

/** A world in which the content of a kind of pages is there, and no page of it. */
export async function worldOf(kind: KindOfPage): Promise<DaybookWorld> {
  const world = await DaybookWorld.ofTest({ merchants: 2 });
  world.clock.setTo('2026-12-01T06:00:00.000Z');
  await putOwners(world);
  await kind.arrange(world);
  return world;
}

/** Stores the registry: two merchants, and two groups of both. @param members of each merchant's entry */
export function putOwners(
  world: DaybookWorld,
  members: Record<string, unknown> = {},
  recipients = [A, B],
): Promise<void> {
  const groups = ['shops', 'others'].map((name) => {
    return { name, merchants: [CODE, OTHER], recipients, daily: true };
  });
  const merchants = { [CODE]: { recipients, ...members }, [OTHER]: { recipients, ...members } };
  return world.putRegistry(merchants, {}, { groups });
}

/** Seals the next revision of a day with another amount. */
async function correctDay(world: DaybookWorld, day: string): Promise<void> {
  const revision = world.keys(`days/day=${day}/merchant=${CODE}/`).length + 1;
  await sealPage(world, { day, revision, amounts: { ...AMOUNTS, paid: `${60 + revision}.000` } });
}

/** Puts other figures in a sealed day, which a page names by its revision: so nothing but these figures differs. */
function replaced(day: string, changes: Partial<Manifest>) {
  return async (world: DaybookWorld): Promise<void> => {
    // What came in follows from the other figures.
    const { received: _received, ...manifest } = await world.manifest(1, CODE, day);
    await sealPage(world, { ...manifest, ...changes });
  };
}

const { counts, refunds } = FIGURES;
const AMOUNTS = defined(FIGURES.amounts);

/** Changes of a sealed day that every page shows which adds it up. */
function addedFigures(day: string): KindOfPage['figures'] {
  const inDay = (changes: Partial<Manifest>) => replaced(day, changes);
  const ofRefunds = (changes: Partial<DayRefunds>) => inDay({ refunds: { ...refunds, ...changes } });
  const ofEach = (figure: 'counts' | 'amounts', of: object, changed: unknown) =>
    Object.fromEntries(
      Object.keys(of).map((state) => [
        `${state} of the ${figure}`,
        inDay({ [figure]: { ...of, [state]: changed } }),
      ]),
    );
  return {
    ...ofEach('counts', counts, 77),
    ...ofEach('amounts', AMOUNTS, '77.000'),
    'the number of refunds': ofRefunds({ count: 3 }),
    'the amount of refunds': ofRefunds({ total: '8.500' }),
    'the state of refunds': ofRefunds({ byStatus: { approved: { count: 2, total: '7.500' } } }),
    'refunds in the currency of the sale': ofRefunds({ saleBasis: { ...refunds.saleBasis, total: '6.000' } }),
    'a charge': inDay({ breakdown: { ...BREAKDOWN, charges: [{ column: 'admin_charge', total: '1.400' }] } }),
    'whether it balances': inDay({ balanced: false }),
    'the currency': inDay({ currency: 'SAR' }),
  };
}

function updateInvoice({ payments: { data } }: DaybookWorld, changes: Record<string, unknown>): void {
  data.updateInvoice(CODE, data.truth(CODE, DAY).invoices.ids[0] ?? 0, changes);
}

const day: KindOfPage = {
  name: "a merchant's day",
  functionName: 'daily-report',
  id: { owner: { merchantCode: CODE }, period: DAY },
  others: { owner: { merchantCode: OTHER }, period: '2026-11-19' },
  event: ({ merchantCode }, period) => ({ merchantCode, day: period }),
  arrange: (world) => {
    const { data } = world.payments;
    data.insertInvoice(CODE, DAY, { invoice_status: 1, amount: '60.000', admin_charge: '0.500' });
    data.insertInvoice(CODE, DAY, { invoice_status: 0, amount: '30.500' });
    data.insertRefund(CODE, DAY, { status: 1 });
    data.insertInvoice(OTHER, DAY, { invoice_status: 1, amount: '5.000' });
  },
  change: (world) => {
    world.payments.data.insertInvoice(CODE, DAY, { invoice_status: 1, amount: '3.000' });
    return Promise.resolve();
  },
  figures: {
    'an invoice more': ({ payments }) =>
      payments.data.insertInvoice(CODE, DAY, { invoice_status: 1, amount: '0.000' }),
    'the state of an invoice': (world) => updateInvoice(world, { invoice_status: 3 }),
    'an amount': (world) => updateInvoice(world, { amount: '61.000' }),
    'a charge': (world) => updateInvoice(world, { admin_charge: '0.750' }),
    'a payment method': (world) => updateInvoice(world, { transaction_payment_type: 'CASH' }),
    'a refund more': ({ payments }) => payments.data.insertRefund(CODE, DAY),
    'the state of a refund': ({ payments }) => {
      const [id = 0] = payments.data.truth(CODE, DAY).refunds.ids;
      payments.data.updateRefund(CODE, id, { status: 2 });
    },
    'whether it balances': ({ payments }) => {
      payments.behaviour.wrongStats = { paid: 1 };
    },
  },
};

const statement: KindOfPage = {
  name: "a merchant's month",
  functionName: 'statement',
  id: { owner: { merchantCode: CODE }, period: MONTH },
  others: { owner: { merchantCode: OTHER }, period: '2026-10' },
  event: ({ merchantCode }, period) => ({ merchantCode, period }),
  arrange: async (world) => {
    for (const day of [CHANGED, '2026-11-20']) await sealPage(world, { day });
    await sealPage(world, { merchantCode: OTHER });
    await sealPage(world, { day: '2026-10-20' });
  },
  change: (world) => correctDay(world, CHANGED),
  figures: {
    'a type of invoice': replaced(CHANGED, { breakdown: { ...BREAKDOWN, byType: [] } }),
    'a payment method': replaced(CHANGED, { breakdown: { ...BREAKDOWN, byMethod: [] } }),
    'a day that was missing': (world) => sealPage(world, { day: '2026-11-30' }),
    ...addedFigures(CHANGED),
  },
};

const group: KindOfPage = {
  name: "a group's day",
  functionName: 'statement',
  id: { owner: { group: 'shops' }, period: DAY },
  others: { owner: { group: 'others' }, period: '2026-11-19' },
  event: ({ group: name }, period) => ({ group: name, period }),
  arrange: async (world) => {
    for (const merchantCode of [CODE, OTHER]) await sealPage(world, { merchantCode });
    await sealPage(world, { day: '2026-11-19' });
  },
  change: (world) => correctDay(world, DAY),
  figures: {
    'what is usual': replaced(DAY, { history: [aDayBefore('2026-11-13')] }),
    'what changed in the page before': async (world) => {
      await world.statement({ group: 'shops', period: '2026-11-19', send: false });
      await correctDay(world, '2026-11-19');
    },
    ...addedFigures(DAY),
    'the name of a merchant': (world) => putOwners(world, { name: 'Other', charges: ['admin_charge'] }),
    'a merchant that is missing': (world) => world.aws.s3.write(BUCKET, manifestKey(DAY, OTHER, 1), ''),
  },
};

/** The three kinds of pages. Every promise about a page holds for each. */
export const KINDS: readonly KindOfPage[] = [day, statement, group];
