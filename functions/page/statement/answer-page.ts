import type { Amounts, Counts, RefundFigures } from '#records/figures/figure-schemas.ts';
import type { CurrencySum, GroupPage } from '../figures/group-page.ts';
import type { Statement } from '../figures/statement.ts';
import { pageKey, pageInWords } from '#records/storage/keys.ts';
import type { PageId, PageOwner } from '#records/storage/keys.ts';
import type { MailAnswer } from '#mail/once/mail-answer.ts';
import { NothingSealedError } from '#records/errors/daybook-error.ts';
import type { ComposedMail } from '#mail/once/mail-round.ts';
import { mailAsAsked } from '../send-page.ts';
import type { MailedPage } from '../send-page.ts';
import type { PageStore, PlacedPage, SealedPage } from '../page-store.ts';
import type { Dependencies } from './dependencies.ts';
import type { StatementEvent } from './statement-event.ts';

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
  /** ISO 8601, UTC. `null`: it is open. */
  closedAt: string | null;
  /** How many it tells of closed statements. */
  adjustments: number;
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

interface AnsweredPage<Page> {
  page: Page;
  unchanged: boolean;
  sealed: boolean;
  mail: MailAnswer;
}

const MOST_LISTED = 100;
const MOST_MERCHANTS = 1_000;

function answeredSums(byCurrency: Readonly<Record<string, AnsweredSum>>): Record<string, AnsweredSum> {
  return Object.fromEntries(
    Object.entries(byCurrency).map(([currency, { counts, amounts, refunds }]) => [
      currency,
      { counts, amounts, refunds },
    ]),
  );
}

/** What the answers about both kinds of pages begin and end with. */
function pageAnswer(
  { page, unchanged, sealed, mail }: AnsweredPage<Statement | GroupPage>,
  owner: PageOwner,
): { first: Omit<PageAnswer, 'statementKey' | 'mail'>; last: Pick<PageAnswer, 'statementKey' | 'mail'> } {
  const { period, from, to, revision, final } = page;
  return {
    first: { period, from, to, revision: sealed ? revision : null, unchanged, final },
    last: { statementKey: sealed ? pageKey({ owner, period, revision }) : null, mail },
  };
}

export function merchantAnswer(answered: AnsweredPage<Statement>): MerchantStatementAnswer {
  const { merchantCode, missing, unbalanced, currency, byCurrency, counts, amounts, refunds } = answered.page;
  const { closedAt = null, adjustments = [] } = answered.page;
  const { first, last } = pageAnswer(answered, { merchantCode });
  return {
    merchantCode,
    ...first,
    missing,
    unbalanced,
    currency,
    ...(byCurrency !== undefined && { byCurrency: answeredSums(byCurrency) }),
    counts,
    amounts,
    refunds,
    closedAt,
    adjustments: adjustments.length,
    ...last,
  };
}

export function groupAnswer(answered: AnsweredPage<GroupPage>): GroupAnswer {
  const { group, missing, merchants, byCurrency } = answered.page;
  const { first, last } = pageAnswer(answered, { group });
  const codes = (list: readonly { merchantCode: string }[], most: number) =>
    list.slice(0, most).map(({ merchantCode }) => merchantCode);
  return {
    group,
    ...first,
    missing: codes(missing, MOST_LISTED),
    unbalanced: codes(
      merchants.filter(({ balanced }) => !balanced),
      MOST_LISTED,
    ),
    byCurrency: answeredSums(byCurrency),
    merchants: codes(merchants, MOST_MERCHANTS),
    ...last,
  };
}

export interface AskedPage<Page extends PlacedPage, Answer> {
  id: PageId;
  pages: Pick<PageStore<Page>, 'newest'>;
  /** `false` for a dry run. */
  seal: (store: boolean) => Promise<SealedPage<Page>>;
  /** Every page passes here, whichever way it came. */
  assertMayBeMailed?: (page: Page) => void;
  mailed: (page: Page) => MailedPage;
  preview: (page: Page) => Promise<ComposedMail>;
  answer: (answered: AnsweredPage<Page>) => Answer;
}

/**
 * Seals a page, or takes the newest to send it again, then mails it as asked.
 * @param deadline of the last mail, milliseconds UTC
 * @throws {NothingSealedError} when there is no page to send again
 */
export async function answerPage<Page extends PlacedPage, Answer>(
  dependencies: Dependencies,
  event: Pick<StatementEvent, 'send' | 'to' | 'resend' | 'dryRun'>,
  asked: AskedPage<Page, Answer>,
  deadline: number,
): Promise<Answer> {
  const sealed = event.resend === false ? await asked.seal(!event.dryRun) : await pageToResend(asked);
  const { page } = sealed;
  asked.assertMayBeMailed?.(page);
  const preview = () => asked.preview(page);
  if (event.dryRun) {
    await preview();
    return asked.answer({
      ...sealed,
      sealed: false,
      mail: { status: 'skipped', reason: 'dry run', messageIds: [] },
    });
  }
  const toMake = { page: asked.mailed(page), isNew: !sealed.unchanged, preview, deadline };
  return asked.answer({ ...sealed, sealed: true, mail: await mailAsAsked(dependencies, event, toMake) });
}

async function pageToResend<Page extends PlacedPage>({
  id,
  pages,
}: Pick<AskedPage<Page, unknown>, 'id' | 'pages'>): Promise<SealedPage<Page>> {
  const page = await pages.newest(id);
  if (page !== undefined) return { page, unchanged: true };
  throw new NothingSealedError(`${pageInWords(id)}: no page is sealed, so there is nothing to send again`);
}
