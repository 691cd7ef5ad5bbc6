import pLimit from 'p-limit';
import { isUnreadableObject } from '#aws/unreadable-object.ts';
import { addDays } from '#domain/day/business-day.ts';
import type { Day } from '#domain/day/business-day.ts';
import { periodKind } from '#domain/period/period.ts';
import { ownerPart, pageLedgerKey, periodPrefix } from '#domain/storage/keys.ts';
import type { LedgerStore } from '#mailing/ledger-store.ts';
import { mailThatCounts } from '#page/mail-that-counts.ts';
import type { SealedPages } from '#page/page-store.ts';
import type { ExpectedStatement } from './expected-statements.ts';
import type { GroupHeads } from './group-heads.ts';
import { statementDelivery, unreadableStatement } from './statement-delivery.ts';
import type { StatementDelivery, StatementRecords } from './statement-delivery.ts';

/** Where the records of statements and groups' pages are. */
export interface StatementStores {
  sealedPages: Pick<SealedPages, 'newestRevisions' | 'merchantsOf'>;
  groupHeads: GroupHeads;
  ledgers: Pick<LedgerStore, 'read'>;
}

/** How statements are looked at. */
export interface StatementLook {
  /** Milliseconds UTC. */
  now: number;
  /** How many are looked at together. One request of each is under way at a time. */
  atOnce: number;
  /** Whether ops know already that nothing of it is sealed. */
  isKnownEmpty: (expected: ExpectedStatement) => boolean;
  /** Is called with the reason when the records of a statement cannot be read. */
  onUnreadable: (error: Error) => void;
}

/** A statement, and its newest sealed revision. */
interface Listed {
  expected: ExpectedStatement;
  revision: number | undefined;
  /** Whether any day of it, or any page of a group's merchants, is sealed. */
  hasDays: boolean;
}

/**
 * Looks at every expected statement: lists what is sealed, reads the ledgers, and decides what became of each. One period
 * after the other, so that only one listing is in memory. A group has no page of a day on which none of its merchants has one,
 * and that is not told: the merchants' missing reports are.
 */
export async function lookAtStatements(
  stores: StatementStores,
  expected: readonly ExpectedStatement[],
  look: StatementLook,
): Promise<StatementDelivery[]> {
  const looked: StatementDelivery[] = [];
  for (const [period, ofPeriod] of Map.groupBy(expected, (one) => one.period)) {
    const revisions = await stores.sealedPages.newestRevisions(periodPrefix(period));
    const listed = ofPeriod.map((one): Listed => {
      const revision = revisions.get(ownerPart(one.owner));
      return { expected: one, revision, hasDays: revision !== undefined || hasStatement(one, revisions) };
    });
    await lookForDays(
      stores,
      listed.filter((one) => !one.hasDays && !look.isKnownEmpty(one.expected)),
    );
    const wanted = listed.filter((one) => one.hasDays || periodKind(period) !== 'day');
    looked.push(...(await pLimit(look.atOnce).map(wanted, (one) => lookAt(stores, one, look))));
  }
  return looked;
}

/** Whether a merchant of a group has a statement of the group's period. */
function hasStatement({ members }: ExpectedStatement, revisions: ReadonlyMap<string, number>): boolean {
  return members?.some((merchantCode) => revisions.has(ownerPart({ merchantCode }))) === true;
}

/** Finds out which of them have a sealed day, the newest days first. Usually one day is enough. */
async function lookForDays({ sealedPages }: StatementStores, without: readonly Listed[]): Promise<void> {
  // A week or a month of a group adds up statements. Without any, its days do not matter.
  const adding = ({ members, period }: ExpectedStatement) => members === null || periodKind(period) === 'day';
  let left = without.filter(({ expected }) => adding(expected));
  const first = left.reduce<Day>((day, { expected }) => (expected.from < day ? expected.from : day), '9999');
  const last = left.reduce<Day>((day, { expected }) => (expected.to > day ? expected.to : day), '');
  for (let day = last; day >= first && left.length > 0; day = addDays(day, -1)) {
    const merchants = await sealedPages.merchantsOf(day);
    for (const one of left) {
      const { owner, members, from, to } = one.expected;
      const codes = members ?? (owner.merchantCode === undefined ? [] : [owner.merchantCode]);
      one.hasDays = from <= day && day <= to && codes.some((code) => merchants.has(code));
    }
    left = left.filter(({ hasDays }) => !hasDays);
  }
}

async function lookAt(
  stores: StatementStores,
  { expected, revision, hasDays }: Listed,
  { now, onUnreadable }: StatementLook,
): Promise<StatementDelivery> {
  if (revision === undefined) {
    return statementDelivery(expected, { revision, hasDays, final: undefined, ledger: undefined }, now);
  }
  try {
    return statementDelivery(expected, await recordsOf(stores, expected, revision), now);
  } catch (error) {
    // An unreadable object must not hide the other statements.
    if (!isUnreadableObject(error)) throw error;
    onUnreadable(error);
    return unreadableStatement(expected, revision);
  }
}

/** Usually one object for a merchant, and two for a group. */
async function recordsOf(
  { ledgers, groupHeads }: StatementStores,
  { owner, period }: ExpectedStatement,
  revision: number,
): Promise<StatementRecords> {
  const place = { owner, period, revision };
  const newest = (await ledgers.read(pageLedgerKey(place)))?.ledger;
  const ledger = await mailThatCounts(ledgers, place, newest, () => Promise.resolve(false));
  // The ledger of a statement says whether it is final. That of a group's page does not.
  const final = owner.group === undefined ? newest?.figures?.balanced : await groupHeads.isFinal(place);
  return { revision, hasDays: true, final, ledger };
}
