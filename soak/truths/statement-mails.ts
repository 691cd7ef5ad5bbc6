import { addDays, WEEKDAYS, weekdayOf, type Day } from '#records/day/business-day.ts';
import type { SoakMerchant } from '../merchants.ts';
import { addressHash } from '#records/storage/keys.ts';
import { ledgerOfPeriod, periodName, dayName, type BrokenPromise, type Evidence } from './evidence.ts';
import { lastMails, mayHaveIt, strangerFaults, type Readers } from './report-mails.ts';
import { periodKind } from '#records/period/period.ts';
import type { Ledger } from '#records/ledger/ledger.ts';
import { sameFigures } from '#page/mail-decision.ts';
import { figuresOfStatement, isEmptyStatement, type Statement } from '#page/figures/statement.ts';

export interface DueStatement {
  merchantCode: string;
  from: Day;
  to: Day;
}

/** Statements whose time came at one of the ticks, by the calendar. @param last the last day that was reported */
export function dueStatements(merchants: readonly SoakMerchant[], last: Day): DueStatement[] {
  return merchants.flatMap(({ account: { merchantCode }, reportFrom, statements }) => {
    const due: DueStatement[] = [];
    if (statements === undefined) return due;
    for (let to = reportFrom; to <= last; to = addDays(to, 1)) {
      const next = addDays(to, 1);
      // A week is mailed on the day on which the next one begins, a month on the first.
      if (WEEKDAYS[weekdayOf(next)] === statements.weekly.on)
        due.push({ merchantCode, from: addDays(to, -6), to });
      if (next.endsWith('-01')) due.push({ merchantCode, from: `${to.slice(0, 7)}-01`, to });
    }
    return due;
  });
}

export interface SoakGroup {
  name: string;
  codes: readonly string[];
  recipients: readonly string[];
  /** The days whose pages were due. */
  days: readonly string[];
}

/** Each day of the group has one page, and each of its recipients has the mail of it, and nobody else. */
export function groupMails(
  evidence: Evidence,
  { name, recipients, days }: SoakGroup,
  stopped: ReadonlySet<string>,
): BrokenPromise[] {
  const owner = { group: name };
  const missing = days.flatMap((day) =>
    evidence.pages.has(periodName(owner, day)) ? [] : [`${day} was due and is missing`],
  );
  const everybody = recipients.map(addressHash);
  const faults = [...evidence.pages.values()].flatMap((revisions) =>
    revisions.flatMap((page) => {
      const { period, revision } = page;
      const ledger = ledgerOfPeriod(evidence, owner, page);
      const has = new Set(ledger?.recipients.filter(mayHaveIt).map(({ to }) => to));
      return [
        ...(revision === 1 ? [] : [`${period} was made again, and nobody asked for it`]),
        ...(everybody.every((to) => has.has(to) || stopped.has(to))
          ? []
          : [`${period} was not mailed to everybody`]),
        ...([...has].every((to) => everybody.includes(to)) ? [] : [`${period} was mailed to somebody else`]),
      ];
    }),
  );
  return [...missing, ...faults].map((what) => ({ what: `the page of ${name}, ${what}` }));
}

interface MailedStatement {
  revisions: readonly Statement[];
  /** By revision. */
  ledgers: readonly (Ledger | undefined)[];
  /** Whether its merchant asked for it, so that it is mailed. */
  isAskedFor: boolean;
}

function isMailed(ledger: Ledger | undefined): ledger is Ledger {
  return ledger?.recipients.some(mayHaveIt) === true;
}

/** Why a ledger must not be without recipients; `undefined` when its reason is true. */
function skipFault({ revisions, ledgers, isAskedFor }: MailedStatement, place: number): string | undefined {
  const [statement, ledger] = [revisions[place], ledgers[place]];
  if (statement === undefined || ledger === undefined) return 'has no ledger';
  if (ledger.recipients.length > 0) return isAskedFor ? undefined : 'is mailed, and nobody asked for it';
  const before = ledgers.slice(0, place).findLast(isMailed);
  const isSame = Boolean(before?.figures && ledger.figures && sameFigures(before.figures, ledger.figures));
  const newer = Number(/^revision (\d+) came before it was mailed$/.exec(ledger.reason ?? '')?.[1] ?? 0);
  const isTrue =
    newer > place + 1 ||
    {
      'not asked for': !isAskedFor,
      'no figure has changed since the last mail': isSame,
      'the mail of a week is not corrected': before !== undefined && periodKind(statement.period) === 'week',
      'what changed is told in the daily reports': before !== undefined,
      'the period is empty': isEmptyStatement(statement),
    }[ledger.reason ?? ''] === true;
  return isTrue ? undefined : `is skipped, which is not right: ${String(ledger.reason)}`;
}

/**
 * Everybody has a mail; the last one of a month has the current figures, and the last one of a week is not provisional when
 * the week is final.
 */
function lastWordFaults({ revisions, ledgers }: MailedStatement, readers: Readers): string[] {
  const newest = revisions.at(-1);
  const mailed = ledgers.filter(isMailed);
  const [first] = mailed;
  if (newest === undefined || first === undefined) return [];
  const figures = figuresOfStatement(newest);
  return lastMails(readers, Date.parse(first.intendedAt), mailed).flatMap(({ address, last }) => {
    if (!last?.figures) return [`was not mailed to ${address}`];
    // What was paid since is told in the daily reports; a skip of another kind is checked above.
    const isToldDaily = ledgers.at(-1)?.reason === 'what changed is told in the daily reports';
    const isCurrent =
      isToldDaily ||
      (periodKind(newest.period) === 'week'
        ? last.figures.balanced || !newest.final
        : sameFigures(last.figures, figures));
    return isCurrent ? [] : [`was last mailed to ${address} with what is no longer current`];
  });
}

/** A statement that was due is there, lacks no day, and names the newest revision of each of its days. */
function dueFaults({ statements, days }: Evidence, { merchantCode, from, to }: DueStatement): string[] {
  const series = [...statements.values()].find(([one]) => {
    return one?.merchantCode === merchantCode && one.from === from && one.to === to;
  });
  const newest = series?.at(-1);
  if (newest === undefined) return ['was due and is missing'];
  const old = newest.days.filter(({ day, revision }) => {
    return days.get(dayName({ merchantCode, day }))?.at(-1)?.revision !== revision;
  });
  return [
    ...newest.missing.map((day) => `lacks ${day}`),
    ...old.map(({ day, revision }) => `names revision ${revision} of ${day}, which is not the newest`),
  ];
}

/** Every statement that was due is there, and was mailed as its revisions require. */
export function statementMails(
  evidence: Evidence,
  { readers, statements }: { readers: ReadonlyMap<string, Readers>; statements: readonly DueStatement[] },
): BrokenPromise[] {
  const due = statements.flatMap((one) => {
    const { merchantCode, from, to } = one;
    return dueFaults(evidence, one).map((what) => ({
      merchantCode,
      what: `the statement of ${from} to ${to} ${what}`,
    }));
  });
  const mailed = [...evidence.statements.values()].flatMap((revisions) => {
    const [first] = revisions;
    if (first === undefined) return [];
    const { merchantCode, period, from, to } = first;
    const ledgers = revisions.map((one) => ledgerOfPeriod(evidence, { merchantCode }, one));
    const isAskedFor = statements.some((one) => {
      return one.merchantCode === merchantCode && one.from === from && one.to === to;
    });
    const series = { revisions, ledgers, isAskedFor };
    const own = readers.get(merchantCode);
    const faults = revisions.flatMap(({ revision }, place) =>
      [
        skipFault(series, place),
        ...(own === undefined ? [] : strangerFaults(ledgers[place]?.recipients ?? [], own)),
      ].flatMap((what) => (what === undefined ? [] : [`revision ${revision}, ${what}`])),
    );
    const last = own === undefined ? [] : lastWordFaults(series, own);
    return [...faults, ...last].map((what) => ({
      merchantCode,
      what: `the statement of ${period}: ${what}`,
    }));
  });
  return [...due, ...mailed];
}
