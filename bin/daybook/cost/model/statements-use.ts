import { STATEMENT_BATCH } from '#lib/constructs/statement-batch.ts';
import type { GroupPages, LookClock, MerchantStatements, StatementCounts } from './statement-counts.ts';
import { PLAN_CALLS } from './statements-bill.ts';
import type { StatementsUse } from './statements-bill.ts';
import {
  GROUP_WORKBOOK,
  LARGEST_ATTACHMENTS,
  LISTED,
  PDF_BYTES,
  PLAN,
  REVISIONS,
  STATEMENT_LOG_BYTES,
  TRANSITIONS,
  pageWork,
  statementWork,
} from './statement-units.ts';
import type { PageWork } from './statement-units.ts';

/** What the statements of a stage depend on besides their counts. */
export interface StatementSurroundings {
  /** All merchants of the registry: `plan` lists the days of all of them. */
  merchants: number;
  /** Ticks of the reports a day. */
  ticks: number;
  /** MB. */
  memory: { statement: number; plan: number };
  /** Bytes of a merchant's workbook of one day. */
  workbookADay: number;
  /** How long statements are kept, days. */
  kept: number;
}

/** What one kind of statements or pages needs in thirty days. */
export interface StatementsPart {
  what: string;
  use: StatementsUse;
}

/** How often a period of each kind ends in thirty days, and how many days it has. */
const PERIODS = {
  day: { times: 30, days: 1 },
  week: { times: 30 / 7, days: 7 },
  month: { times: 1, days: 30 },
} as const;
type Kind = keyof typeof PERIODS;

const DAY = 86_400_000;
/** How long after its deadline a statement is looked at with every tick (functions/shared/domain/period/due.ts). */
const LATE = DAY;

function emptyUse({ memory, kept }: StatementSurroundings): StatementsUse {
  const nothing = {
    statements: 0,
    planCalls: 0,
    transitions: 0,
    children: 0,
    s3Writes: 0,
    s3Reads: 0,
    listed: 0,
    mails: 0,
  };
  const noTime = { statement: 0, plan: 0 };
  return { ...nothing, memory, duration: noTime, attachmentBytes: 0, bytesStored: 0, kept, logBytes: 0 };
}

/** The same work so many times, with its mails. */
function madeUse(
  count: number,
  { duration, reads, writes, bytes }: PageWork,
  mails: number,
  attachmentBytes: number,
  surroundings: StatementSurroundings,
): StatementsUse {
  return {
    ...emptyUse(surroundings),
    statements: count,
    duration: { statement: count * duration, plan: 0 },
    s3Writes: count * writes,
    s3Reads: count * reads,
    mails,
    attachmentBytes,
    bytesStored: count * bytes,
    logBytes: count * STATEMENT_LOG_BYTES,
  };
}

/** Both together. They are of one stage. */
function added(one: StatementsUse, other: StatementsUse): StatementsUse {
  return {
    ...one,
    statements: one.statements + other.statements,
    planCalls: one.planCalls + other.planCalls,
    transitions: one.transitions + other.transitions,
    children: one.children + other.children,
    duration: {
      statement: one.duration.statement + other.duration.statement,
      plan: one.duration.plan + other.duration.plan,
    },
    s3Writes: one.s3Writes + other.s3Writes,
    s3Reads: one.s3Reads + other.s3Reads,
    listed: one.listed + other.listed,
    mails: one.mails + other.mails,
    attachmentBytes: one.attachmentBytes + other.attachmentBytes,
    bytesStored: one.bytesStored + other.bytesStored,
    logBytes: one.logBytes + other.logBytes,
  };
}

/** What all of it needs. */
export function togetherOf(
  parts: readonly StatementsPart[],
  surroundings: StatementSurroundings,
): StatementsUse {
  return parts.reduce((sum, { use }) => added(sum, use), emptyUse(surroundings));
}

function usedByStatements(
  kind: 'week' | 'month',
  { statements, mails, mailsWithWorkbook }: MerchantStatements,
  surroundings: StatementSurroundings,
): StatementsUse {
  const { times, days } = PERIODS[kind];
  const pdf = PDF_BYTES[kind];
  const workbook = Math.min(days * surroundings.workbookADay, LARGEST_ATTACHMENTS - pdf);
  const work = statementWork(days, surroundings.memory.statement);
  const attached = mails * pdf + mailsWithWorkbook * workbook;
  const made = madeUse(times * statements, work, times * mails, times * attached, surroundings);
  return { ...made, children: times * Math.ceil(statements / STATEMENT_BATCH) };
}

function usedByPages(
  kind: Kind,
  pages: readonly GroupPages[],
  surroundings: StatementSurroundings,
): StatementsUse {
  const { times } = PERIODS[kind];
  return pages
    .map(({ merchants, mails, hasWorkbook }) => {
      const workbook = hasWorkbook ? GROUP_WORKBOOK.bytes + merchants * GROUP_WORKBOOK.merchant : 0;
      const attached = mails * Math.min(workbook, LARGEST_ATTACHMENTS);
      const work = pageWork(merchants, surroundings.memory.statement);
      // At most: a page often comes in one batch with others.
      return { ...madeUse(times, work, times * mails, times * attached, surroundings), children: times };
    })
    .reduce(added, emptyUse(surroundings));
}

/**
 * Requests that list, of all looks at the periods that end in thirty days: with every tick until a day after the deadline,
 * and in one hour of each later day until it is not corrected any more.
 */
function listedFor(
  { kind, waitFor, correctFor }: LookClock,
  { merchants, ticks }: StatementSurroundings,
): number {
  const { times, days } = PERIODS[kind];
  // Statements and their ledgers.
  const pages = 2 * Math.ceil(merchants / LISTED);
  const ofDays = days * Math.ceil((merchants * REVISIONS) / LISTED);
  const fresh = ((waitFor + LATE) / DAY) * ticks * pages;
  const daily = (correctFor / DAY) * Math.ceil(ticks / 24) * (pages + ofDays);
  return times * (fresh + daily);
}

/** The looks of `plan`, with the steps of the ticks. */
function usedByLooks(
  { due, clocks }: Pick<StatementCounts, 'clocks' | 'due'>,
  surroundings: StatementSurroundings,
): StatementsUse {
  const moments =
    due.days * PERIODS.day.times + due.weeks * PERIODS.week.times + due.months * PERIODS.month.times;
  const looks = 30 * surroundings.ticks;
  const listed = clocks.reduce((total, clock) => total + listedFor(clock, surroundings), 0);
  return {
    ...emptyUse(surroundings),
    planCalls: looks + (PLAN_CALLS - 1) * moments,
    transitions: looks * TRANSITIONS.look + moments * TRANSITIONS.due,
    duration: { statement: 0, plan: looks * PLAN.look + listed * PLAN.list },
    listed,
  };
}

/**
 * What the statements of thirty days need, kind by kind, without kinds that the registry does not ask for. Second rounds and
 * corrections are not counted.
 */
export function statementParts(
  { weeks, months, pages, clocks, due }: StatementCounts,
  surroundings: StatementSurroundings,
): StatementsPart[] {
  const made: StatementsPart[] = [
    { what: 'statements of weeks', use: usedByStatements('week', weeks, surroundings) },
    { what: 'statements of months', use: usedByStatements('month', months, surroundings) },
    { what: "groups' pages of days", use: usedByPages('day', pages.days, surroundings) },
    { what: "groups' pages of weeks", use: usedByPages('week', pages.weeks, surroundings) },
    { what: "groups' pages of months", use: usedByPages('month', pages.months, surroundings) },
  ];
  return [
    ...made.filter(({ use }) => use.statements > 0),
    { what: 'looks at what is due', use: usedByLooks({ clocks, due }, surroundings) },
  ];
}
