import { NothingSealedError } from '#records/errors/daybook-error.ts';
import { pageInWords } from '#records/storage/keys.ts';
import type { PageId } from '#records/storage/keys.ts';
import type { ComposedMail } from '#mail/once/mail-round.ts';
import { mailAsAsked } from '../mail-as-asked.ts';
import type { MailedPage } from '../mailed-page.ts';
import type { PageStore, PlacedPage } from '../page-store.ts';
import type { SealedPage } from '../seal-next.ts';
import type { AnsweredPage } from './answer.ts';
import type { Dependencies } from './dependencies.ts';
import type { StatementEvent } from './statement-event.ts';

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
