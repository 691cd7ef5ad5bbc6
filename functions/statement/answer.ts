import type { Amounts, Counts, RefundFigures } from '#domain/figures/figures.ts';
import type { CurrencySum, GroupPage } from '#domain/statement/group-page.ts';
import type { Statement } from '#domain/statement/statement.ts';
import { pageKey } from '#domain/storage/keys.ts';
import type { MailAnswer } from '#mailing/once/mail-answer.ts';

/** What both kinds of answers say. */
interface PageAnswer {
  period: string;
  from: string;
  to: string;
  /** `null` for a dry run. */
  revision: number | null;
  unchanged: boolean;
  final: boolean;
  /** `null` for a dry run. */
  statementKey: string | null;
  mail: MailAnswer;
}

/** The answer about a merchant's statement. */
export interface MerchantStatementAnswer extends PageAnswer {
  merchantCode: string;
  missing: string[];
  unbalanced: string[];
  /** Of all amounts; `null` when the days are of several currencies, so that no amount is added up. */
  currency: string | null;
  /** The sums of each currency, when there are several. */
  byCurrency?: Record<string, AnsweredSum>;
  counts: Counts;
  /** `null` when the registry named no states on one of the days, or the days are of several currencies. */
  amounts: Amounts | null;
  refunds: RefundFigures;
}

/** The sums of one currency in the answer. */
type AnsweredSum = Pick<CurrencySum, 'counts' | 'amounts' | 'refunds'>;

/** The answer about a group's page. */
export interface GroupAnswer extends PageAnswer {
  group: string;
  /** The codes of merchants without a page, and of those whose page does not balance. The first hundred. */
  missing: string[];
  unbalanced: string[];
  byCurrency: Record<string, AnsweredSum>;
  /** The codes of the merchants with a page. The first thousand. The page has all of them. */
  merchants: string[];
}

/** The answer of `statement` (docs/interfaces.md, 4 Events and answers). */
export type StatementAnswer = MerchantStatementAnswer | GroupAnswer;

/** A page that was sealed or found unchanged, or only looked at (`sealed: false`). */
export interface AnsweredPage<Page> {
  page: Page;
  unchanged: boolean;
  sealed: boolean;
  mail: MailAnswer;
}

/** A state machine accepts 256 KiB from a function. */
const MOST_LISTED = 100;
const MOST_MERCHANTS = 1_000;
const MOST_MESSAGE_IDS = 500;

function listedMail(mail: MailAnswer): MailAnswer {
  return { ...mail, messageIds: mail.messageIds.slice(0, MOST_MESSAGE_IDS) };
}

function answeredSums(byCurrency: Readonly<Record<string, AnsweredSum>>): Record<string, AnsweredSum> {
  return Object.fromEntries(
    Object.entries(byCurrency).map(([currency, { counts, amounts, refunds }]) => [
      currency,
      { counts, amounts, refunds },
    ]),
  );
}

/** The answer about a merchant's statement. */
export function merchantAnswer(answered: AnsweredPage<Statement>): MerchantStatementAnswer {
  const { page, unchanged, sealed, mail } = answered;
  const { merchantCode, period, from, to, revision, final, missing, unbalanced, counts, amounts, refunds } =
    page;
  const { currency, byCurrency } = page;
  const owner = { merchantCode };
  return {
    merchantCode,
    period,
    from,
    to,
    revision: sealed ? revision : null,
    unchanged,
    final,
    missing,
    unbalanced,
    currency,
    ...(byCurrency !== undefined && { byCurrency: answeredSums(byCurrency) }),
    counts,
    amounts,
    refunds,
    statementKey: sealed ? pageKey({ owner, period, revision }) : null,
    mail: listedMail(mail),
  };
}

/** The answer about a group's page. */
export function groupAnswer(answered: AnsweredPage<GroupPage>): GroupAnswer {
  const { page, unchanged, sealed, mail } = answered;
  const { group, period, from, to, revision, final, byCurrency } = page;
  const owner = { group };
  const codes = (list: readonly { merchantCode: string }[]) => list.map(({ merchantCode }) => merchantCode);
  return {
    group,
    period,
    from,
    to,
    revision: sealed ? revision : null,
    unchanged,
    final,
    missing: codes(page.missing).slice(0, MOST_LISTED),
    unbalanced: codes(page.merchants.filter(({ balanced }) => !balanced)).slice(0, MOST_LISTED),
    byCurrency: answeredSums(byCurrency),
    merchants: codes(page.merchants).slice(0, MOST_MERCHANTS),
    statementKey: sealed ? pageKey({ owner, period, revision }) : null,
    mail: listedMail(mail),
  };
}
