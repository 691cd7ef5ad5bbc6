import type { Amounts, Counts, RefundFigures } from '#records/figures/figure-schemas.ts';
import type { CurrencySum, GroupPage } from '../figures/group-page.ts';
import type { Statement } from '../figures/statement.ts';
import { pageKey } from '#records/storage/keys.ts';
import type { MailAnswer } from '#mail/once/mail-answer.ts';

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
  /** `null` when the days are of several. */
  currency: string | null;
  /** Only when there are several. */
  byCurrency?: Record<string, AnsweredSum>;
  counts: Counts;
  /** `null` without states on one of the days, or with several currencies. */
  amounts: Amounts | null;
  refunds: RefundFigures;
}

type AnsweredSum = Pick<CurrencySum, 'counts' | 'amounts' | 'refunds'>;

export interface GroupAnswer extends PageAnswer {
  group: string;
  /** Codes of merchants without a page, or with one that does not balance. The first hundred. */
  missing: string[];
  unbalanced: string[];
  byCurrency: Record<string, AnsweredSum>;
  /** Codes of merchants with a page. The first thousand. */
  merchants: string[];
}

export type StatementAnswer = MerchantStatementAnswer | GroupAnswer;

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
