import * as z from 'zod';
import { NothingSealedError } from '#records/errors/daybook-error.ts';
import { InvalidEventError, readEvent } from '#records/errors/invalid-event.ts';
import { pageKey, pageInWords } from '#records/storage/keys.ts';
import type { PageId, PageOwner } from '#records/storage/keys.ts';
import { seenDaysSchema } from '#runtime/queue-message.ts';
import type { MailAnswer } from '#mail/once/mail-answer.ts';
import type { ComposedMail } from '#mail/once/mail-round.ts';
import type { CurrencySum, GroupPage } from '../figures/group-page.ts';
import type { Statement } from '../figures/statement.ts';
import { PREVIEW_IS_ONCE, RESEND_IS_SENT, mailMembers, ownerName } from '../page-event.ts';
import type { PageStore, PlacedPage, SealedPage } from '../page-store.ts';
import { mailAsAsked } from '../send-page.ts';
import type { MailedPage } from '../send-page.ts';
import type { Dependencies } from './dependencies.ts';

export const statementEventSchema = z.lazy(() =>
  z
    .strictObject({
      merchantCode: ownerName.optional(),
      group: ownerName.optional(),
      period: z.string(),
      ...mailMembers(),
      /** Of each day, as `plan` saw it; 0 when it is not sealed. */
      revisions: z.array(z.int().min(0).max(999_999_999)).max(31).optional(),
      /** When, and the first of these days. */
      seen: seenDaysSchema.optional(),
    })
    .refine(...RESEND_IS_SENT)
    .refine(...PREVIEW_IS_ONCE),
);

/** With its one owner. Without `send` it is mailed. */
export type StatementEvent = Omit<z.infer<typeof statementEventSchema>, 'merchantCode' | 'group'> & {
  owner: PageOwner;
};

/** When a period such as `last-month` is named: at its scheduled time, even when the event comes late. Milliseconds UTC. */
export function namedAt({ scheduledTime }: Pick<StatementEvent, 'scheduledTime'>, now: number): number {
  return scheduledTime ? Math.min(Date.parse(scheduledTime), now) : now;
}

/** @throws {InvalidEventError} names the wrong, missing, unknown or contradicting member */
export function readStatementEvent(event: unknown): StatementEvent {
  const { merchantCode, group, ...members } = readEvent(statementEventSchema, event);
  if (merchantCode === undefined) {
    if (group === undefined) throw new InvalidEventError('merchantCode', 'is missing, and so is "group"');
    for (const name of ['revisions', 'seen'] as const) {
      if (members[name] !== undefined) throw new InvalidEventError(name, 'does not go with "group"');
    }
    return { ...members, owner: { group } };
  }
  if (group !== undefined) throw new InvalidEventError('group', 'does not go with "merchantCode"');
  // Without the time of the look nobody knows how old they are.
  if ((members.revisions === undefined) !== (members.seen === undefined)) {
    throw new InvalidEventError('revisions', 'and "seen" go together');
  }
  return { ...members, owner: { merchantCode } };
}

interface AnsweredPage<Page> {
  page: Page;
  unchanged: boolean;
  sealed: boolean;
  mail: MailAnswer;
}

const MOST_LISTED = 100;
const MOST_MERCHANTS = 1_000;

type AnsweredSum = Pick<CurrencySum, 'counts' | 'amounts' | 'refunds'>;

function answeredSums(byCurrency: Readonly<Record<string, AnsweredSum>>): Record<string, AnsweredSum> {
  return Object.fromEntries(
    Object.entries(byCurrency).map(([currency, { counts, amounts, refunds }]) => [
      currency,
      { counts, amounts, refunds },
    ]),
  );
}

/** What the answers about both kinds of pages begin with; a dry run has no revision. */
function begun({ page, unchanged, sealed }: AnsweredPage<Statement | GroupPage>) {
  const { period, from, to, revision, final } = page;
  return { period, from, to, revision: sealed ? revision : null, unchanged, final };
}

function ended({ page, sealed, mail }: AnsweredPage<Statement | GroupPage>, owner: PageOwner) {
  const { period, revision } = page;
  return { statementKey: sealed ? pageKey({ owner, period, revision }) : null, mail };
}

/**
 * The answer about a merchant's statement (docs/interfaces.md, 4 Events and answers). `currency` is `null` when the days are of
 * several, which `byCurrency` has then; `amounts` also without states on one of the days. `closedAt` is `null` while it is open.
 */
export function merchantAnswer(answered: AnsweredPage<Statement>) {
  const { merchantCode, missing, unbalanced, currency, byCurrency, counts, amounts, refunds } = answered.page;
  const { closedAt = null, adjustments = [] } = answered.page;
  return {
    merchantCode,
    ...begun(answered),
    missing,
    unbalanced,
    currency,
    ...(byCurrency !== undefined && { byCurrency: answeredSums(byCurrency) }),
    counts,
    amounts,
    refunds,
    closedAt,
    adjustments: adjustments.length,
    ...ended(answered, { merchantCode }),
  };
}

/** The answer about a group's page: it names merchants by their codes, the first ones. */
export function groupAnswer(answered: AnsweredPage<GroupPage>) {
  const { group, missing, merchants, byCurrency } = answered.page;
  const codes = (list: readonly { merchantCode: string }[], most: number) =>
    list.slice(0, most).map(({ merchantCode }) => merchantCode);
  const unbalanced = merchants.filter(({ balanced }) => !balanced);
  return {
    group,
    ...begun(answered),
    missing: codes(missing, MOST_LISTED),
    unbalanced: codes(unbalanced, MOST_LISTED),
    byCurrency: answeredSums(byCurrency),
    merchants: codes(merchants, MOST_MERCHANTS),
    ...ended(answered, { group }),
  };
}

export type MerchantStatementAnswer = ReturnType<typeof merchantAnswer>;
export type GroupAnswer = ReturnType<typeof groupAnswer>;
export type StatementAnswer = MerchantStatementAnswer | GroupAnswer;

export interface PreviewedPage extends MailedPage {
  preview: () => Promise<ComposedMail>;
}

interface AskedPage<Page extends PlacedPage, Answer> {
  id: PageId;
  pages: Pick<PageStore<Page>, 'newest'>;
  /** `false` for a dry run. */
  seal: (store: boolean) => Promise<SealedPage<Page>>;
  /** Every page passes here, whichever way it came. */
  assertMayBeMailed?: (page: Page) => void;
  mailed: (page: Page) => PreviewedPage;
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
  deadline: number,
  asked: AskedPage<Page, Answer>,
): Promise<Answer> {
  const sealed = event.resend === false ? await asked.seal(!event.dryRun) : await pageToResend(asked);
  const { page } = sealed;
  asked.assertMayBeMailed?.(page);
  const mailed = asked.mailed(page);
  const { preview } = mailed;
  if (event.dryRun) {
    await preview();
    return asked.answer({
      ...sealed,
      sealed: false,
      mail: { status: 'skipped', reason: 'dry run', messageIds: [] },
    });
  }
  const toMake = { page: mailed, isNew: !sealed.unchanged, preview, deadline };
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
