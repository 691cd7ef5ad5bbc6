import { NothingSealedError } from '#records/errors/daybook-error.ts';
import type { Day } from '#records/day/business-day.ts';
import { InvalidPeriodError, assertOver, daysOf, periodKind } from '#records/period/period.ts';
import type { Period, PeriodDays } from '#records/period/period.ts';
import { SEEN_FOR } from '#runtime/queue-message.ts';
import { merchantSettings } from '#registry/merchants.ts';
import type { MerchantSettings } from '#registry/registry-schema.ts';
import { adjustsOtherwise } from '#page/figures/adjustments.ts';
import { composeStatement } from '#page/figures/compose-statement.ts';
import type { StatementContent } from '#page/figures/compose-statement.ts';
import {
  dayCurrencies,
  figuresOfStatement,
  isEmptyStatement,
  statementSchema,
} from '#page/figures/statement.ts';
import type { Statement } from '#page/figures/statement.ts';
import { NOT_CORRECTED, UNCHANGED, isMovement, sameFigures } from '#page/mail-decision.ts';
import type { Corrections, PageDecision } from '#page/mail-decision.ts';
import type { Figures } from '#records/figures/figure-schemas.ts';
import { closesAt } from '#records/period/due.ts';
import { assertMailAllowed } from '#page/page-event.ts';
import { numberAfter, sealNext, unlessSpoilt } from '#page/page-store.ts';
import type { SealedPage } from '#page/page-store.ts';
import { answerPage, merchantAnswer, namedAt } from './event-and-answer.ts';
import type { MerchantStatementAnswer, PreviewedPage, StatementEvent } from './event-and-answer.ts';
import type { Dependencies } from './dependencies.ts';
import {
  comparedIn,
  otherPeriods,
  askedPeriod,
  daysOfPeriod,
  followedBefore,
  readPages,
} from './gather-period.ts';
import { adjustmentsFor, recordClosing } from './closing.ts';
import type { LastMailed } from '#page/send-page.ts';

type MerchantEvent = Omit<StatementEvent, 'owner'> & { merchantCode: string };

/**
 * Makes a merchant's statement, or takes the newest to send it again, and mails it as asked.
 * @param deadline of the last mail, milliseconds UTC
 * @throws {UnknownMerchantError} when the registry has no such merchant
 * @throws {InvalidMerchantError} when the merchant's entry is not usable
 * @throws {InvalidPeriodError} when the period is no week or month
 * @throws {InvalidEventError} see {@link assertMailAllowed}
 */
export async function answerMerchant(
  dependencies: Dependencies,
  event: MerchantEvent,
  deadline: number,
): Promise<MerchantStatementAnswer> {
  const { statements } = dependencies;
  const { registry } = await dependencies.registry.load();
  const settings = merchantSettings(registry, event.merchantCode);
  await assertMailAllowed(dependencies.environment, event, settings.recipients, 'merchant');
  const asOf = namedAt(event, dependencies.clock.now());
  const period = await askedPeriod(statements, settings, event.period, asOf);
  if (periodKind(period) === 'day') {
    throw new InvalidPeriodError(
      `period ${period} is a day. A merchant has statements of weeks and months only. Its day has a report (daily-report)`,
    );
  }
  return answerPage(dependencies, event, deadline, {
    id: { owner: { merchantCode: settings.merchantCode }, period },
    pages: statements,
    seal: (store) => sealStatement(dependencies, { ...event, settings, period }, store),
    mailed: (page) => statementMail(dependencies, settings, page),
    answer: merchantAnswer,
  });
}

interface StatementRequest extends Pick<MerchantEvent, 'scheduledTime' | 'revisions' | 'seen'> {
  settings: MerchantSettings;
  period: Period;
}

type Ports = Pick<Dependencies, 'snapshots' | 'statements' | 'closings' | 'history' | 'clock' | 'telemetry'>;

/**
 * Adds up and seals. A closed statement stays as it is, and so does one that names a day which is kept no longer.
 * @param store `false` for a dry run
 * @throws {InvalidPeriodError} when the period is not over
 * @throws {NothingSealedError} when no day of the period is sealed
 * @throws {SealContestedError} when other runs took the number three times
 */
async function sealStatement(
  ports: Ports,
  request: StatementRequest,
  store: boolean,
): Promise<SealedPage<Statement>> {
  const { settings, period, scheduledTime = null } = request;
  const { merchantCode, timeZone, statements: { closeAfter } = {} } = settings;
  const id = { owner: { merchantCode }, period };
  const make = async (newest: Statement | undefined) => {
    const now = ports.clock.now();
    const closed = newest?.closedAt === undefined ? undefined : newest;
    const reopened = closed && (await ports.closings.reopened({ ...id, revision: closed.revision }));
    if (closed !== undefined && reopened === undefined) return closed;
    const days = await daysOfPeriod(ports.statements, { settings, period, own: newest, now });
    assertOver(period, days, { now, timeZone });
    const compared = { period, ...days, now };
    // A first statement is compared for sure, so both are read at once.
    const [content, early] = await Promise.all([
      contentOf(ports, request, { newest, reopenedAt: reopened?.at ?? newest?.reopenedAt }, days),
      newest === undefined ? otherPeriods(ports, settings, compared) : undefined,
    ]);
    // Nobody has seen a first one. It is closed at the next look.
    const closing = closesAt(content, { timeZone, closeAfter });
    const closes = newest !== undefined && content.final && closing !== undefined && closing <= now;
    const isSame = newest?.digest === content.digest && !closes;
    if (newest !== undefined && (isSame || lacksNamedDay(content, newest))) return newest;
    const others = early ?? (await otherPeriods(ports, settings, compared));
    // Parsed, so that nothing is sealed that could not be read again.
    return statementSchema.parse({
      ...content,
      ...comparedIn(content.currency, settings, others),
      ...numberAfter(id, newest),
      sealedAt: new Date(ports.clock.now()).toISOString(),
      scheduledTime,
      timeZone: newest?.timeZone ?? timeZone,
      ...(closes && { closedAt: new Date(now).toISOString() }),
    });
  };
  const isSame = (standing: Statement, made: Statement) =>
    standing.digest === made.digest && (standing.closedAt === undefined) === (made.closedAt === undefined);
  const sealed = await sealNext({ id, pages: ports.statements, store, clock: ports.clock, make, isSame });
  if (store) await recordClosing(ports, settings, sealed.page);
  return sealed;
}

/** Whether a day's time to be kept is over: without it, the sum would be less. */
function lacksNamedDay({ from, to, days }: StatementContent, newest: Statement): boolean {
  const there = new Set(days.map(({ day }) => day));
  return newest.days.some(({ day }) => from <= day && day <= to && !there.has(day));
}

/** `undefined` unless somebody has just looked: older ones would be final, and no look would find an earlier change. */
function seenRevisions(
  { revisions, seen }: Pick<StatementRequest, 'revisions' | 'seen'>,
  [from, ...others]: readonly Day[],
  now: number,
): readonly number[] | undefined {
  if (revisions === undefined || seen === undefined) return undefined;
  const isOfTheseDays = seen.from === from && revisions.length === 1 + others.length;
  return isOfTheseDays && Math.abs(now - Date.parse(seen.at)) <= SEEN_FOR ? revisions : undefined;
}

async function contentOf(
  ports: Ports,
  request: StatementRequest,
  { newest, reopenedAt }: { newest: Statement | undefined; reopenedAt: string | undefined },
  { from, to }: PeriodDays,
): Promise<StatementContent> {
  const { settings, period } = request;
  const { merchantCode, currency, reportFrom, charges } = settings;
  const days = daysOf({ from, to });
  const revisions = seenRevisions(request, days, ports.clock.now());
  // No older page than the newest statement names: `plan` may have looked before it was sealed.
  const named = new Map(newest?.days.map(({ day, revision }) => [day, revision]));
  const seen = (day: Day) => revisions && Math.max(revisions[days.indexOf(day)] ?? 0, named.get(day) ?? 0);
  const [pages, followed, adjustments] = await Promise.all([
    readPages(ports, settings, days, seen),
    followedBefore(ports, settings, from),
    adjustmentsFor(ports, settings, period, newest?.adjustments),
  ]);
  if (pages.length === 0) {
    throw new NothingSealedError(
      `merchant ${merchantCode}, period ${period}: no day is sealed, so there is nothing to add up`,
    );
  }
  const subject = { merchantCode, period, from, to, currency, reportFrom, charges, followed };
  const known = { knownCurrencies: newest && dayCurrencies(newest), adjustments, reopenedAt };
  return composeStatement({ ...subject, ...known }, pages);
}

const TOLD_DAILY = 'what changed is told in the daily reports';

/**
 * A month is corrected when something was wrong that was mailed as a fact; what is paid or decided later is told in the
 * daily reports. With `each` it is corrected when any figure has changed. A week's recipients get a second mail only when
 * the first was provisional and the week is final now.
 * @param mailed `differs`: in a charge, a net, a type or a payment method; `adjusts`: otherwise, or in the books, so that it is corrected
 */
function decideStatementMail(
  statement: Statement,
  mailed: { figures: Figures; differs: boolean; adjusts?: boolean } | null,
  { skipEmpty, corrections }: { skipEmpty: boolean; corrections: Corrections },
): PageDecision {
  if (mailed === null) {
    return skipEmpty && isEmptyStatement(statement)
      ? { kind: 'skipped', reason: 'the period is empty' }
      : { kind: 'first' };
  }
  const figures = figuresOfStatement(statement);
  const isSame = sameFigures(mailed.figures, figures);
  if (!mailed.differs && !mailed.adjusts && isSame) return UNCHANGED;
  if (corrections === 'none') return NOT_CORRECTED;
  // Nothing else tells what changed in a closed statement, or brings it to the books.
  if (mailed.adjusts || (statement.final && !mailed.figures.balanced)) return { kind: 'correction' };
  if (periodKind(statement.period) !== 'month')
    return { kind: 'skipped', reason: 'the mail of a week is not corrected' };
  const isTold = corrections === 'morning' && !isSame && isMovement(mailed.figures, figures);
  return isTold ? { kind: 'skipped', reason: TOLD_DAILY } : { kind: 'correction' };
}

function statementMail(
  ports: Pick<Dependencies, 'statements' | 'snapshots' | 'closings' | 'senderProfile' | 'clock'>,
  settings: MerchantSettings,
  statement: Statement,
): PreviewedPage {
  const { merchantCode, period, revision } = statement;
  const id = { owner: { merchantCode }, period };
  const readable = (number: number) =>
    unlessSpoilt(() => ports.statements.revision({ ...id, revision: number }));
  // The code that renders and writes mails is loaded only when there is a mail to write.
  const composed = async (before: Statement | null, now?: number) => {
    const { composeStatementMail } = await import('./composers.ts');
    return composeStatementMail(ports, settings, { statement, before, now });
  };
  const mailedBefore = async ({ revision: number, figures }: LastMailed) => {
    if (figures === null) return null;
    const before = await readable(number);
    if (before === undefined) return { figures, differs: false };
    const { bookedOtherwise, differsInMail } = await import('./composers.ts');
    const isBookedOtherwise = settings.books !== undefined && bookedOtherwise(before, statement);
    return {
      figures,
      differs: differsInMail(before, statement),
      adjusts: isBookedOtherwise || adjustsOtherwise(before, statement),
    };
  };
  return {
    id,
    revision,
    figures: figuresOfStatement(statement),
    soFar: false,
    readAt: statement.sealedAt,
    readBy: statement.digest.slice(0, 16),
    firstKind: 'statement',
    recipients: settings.recipients,
    sealed: async (number) => {
      const sealed = await readable(number);
      return sealed && { figures: figuresOfStatement(sealed), soFar: false };
    },
    decide: async (before) => {
      const mailed = before && (await mailedBefore(before));
      return decideStatementMail(statement, mailed, settings);
    },
    preview: () => composed(null),
    compose: async ({ corrects }) =>
      composed((corrects && (await readable(corrects.revision))) ?? null, ports.clock.now()),
    earlier: async (number) => {
      const earlier = await ports.statements.revision({ ...id, revision: number });
      return earlier && statementMail(ports, settings, earlier);
    },
  };
}
