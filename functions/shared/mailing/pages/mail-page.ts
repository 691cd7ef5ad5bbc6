import { refusedRecipients } from '#domain/ledger/ledger-progress.ts';
import { mailOnce } from '../once/mail-once.ts';
import type { MailAnswer } from '../once/mail-answer.ts';
import type { MailBeginning, MailPorts } from '../once/mail-once.ts';
import type { ComposedMail } from '../once/mail-round.ts';
import { lastMailed } from './last-mailed.ts';
import type { CorrectedMail, LastMailed, MailedPage } from './mailed-page.ts';
import { resendRecipients } from './resend-recipients.ts';
import type { Resend } from './resend-recipients.ts';

/** The page and the options of the event. */
export interface PageMailRequest {
  page: MailedPage;
  /** Whether this run has just sealed it. Then it has no ledger yet, or nearly never. */
  isNew?: boolean;
  send: boolean;
  resend: Resend;
  /** The name of this run in ledgers. */
  writer: string;
  /** When the function ends, milliseconds UTC. */
  deadline: number;
}

/**
 * Mails a page's revision once: as its first mail, as a correction of the last one, or not at all.
 *
 * @throws {MailRefusedError} see {@link mailOnce}
 * @throws {MailUnfinishedError} see {@link mailOnce}
 */
export async function mailPage(ports: MailPorts, request: PageMailRequest): Promise<MailAnswer> {
  const { page, send } = request;
  const key = page.ledgerKey(page.revision);
  if (!send && request.isNew !== true && (await ports.ledgers.read(key)) !== undefined) {
    return { status: 'skipped', reason: 'not asked for', messageIds: [] };
  }
  const composed = new ComposedOnce(page);
  let madeUpFor: MailAnswer | undefined;
  const answer = await mailOnce(ports, {
    ...request,
    resend: resendRecipients(ports, page, request.resend),
    key,
    tags: page.tags,
    recipients: page.recipients,
    begin: async (): Promise<MailBeginning> => {
      const { figures, firstKind } = page;
      const before = await lastMailed(ports, request);
      const decision = await page.decide(before);
      if (decision.kind === 'correction' && before !== null) {
        return { kind: 'correction', corrects: before.revision, figures, skipped: null };
      }
      if (decision.kind !== 'skipped') return { kind: firstKind, figures, skipped: null };
      // This comes before this revision's ledger says that there is nothing to mail. A recipient who did not
      // get the earlier mail, which is still valid, still has to get it.
      if (before !== null && send && request.resend === false)
        madeUpFor = await makeUpFor(ports, request, before);
      return { kind: firstKind, figures, skipped: decision.reason };
    },
    compose: async (kind, corrects) =>
      composed.against(kind === 'correction' ? await correctedMail(ports, request, corrects) : null),
    heldNotice: page.heldNotice(page.revision),
  });
  return madeUpFor ?? answer;
}

/**
 * The mail that a correction corrects, as the correction's ledger names it. So events about the earlier mail,
 * such as a bounce, do not change the correction that a later run sends. Ledgers of earlier versions do not
 * name it; then it is the mail that was sent last.
 *
 * @returns `null` when no figures of an earlier mail are known
 */
async function correctedMail(
  ports: MailPorts,
  request: PageMailRequest,
  corrects: number | null,
): Promise<CorrectedMail | null> {
  const last =
    corrects === null
      ? await lastMailed(ports, request)
      : { revision: corrects, ledger: (await ports.ledgers.read(request.page.ledgerKey(corrects)))?.ledger };
  const figures = last?.ledger?.figures ?? null;
  return last === null || figures === null ? null : { revision: last.revision, figures };
}

/**
 * Mails an earlier revision with the same figures to the recipients who certainly did not get it.
 *
 * @returns `undefined` when every recipient did, or may have
 */
async function makeUpFor(
  ports: MailPorts,
  request: PageMailRequest,
  { revision, ledger }: LastMailed,
): Promise<MailAnswer | undefined> {
  if (refusedRecipients(ledger).length === 0) return undefined;
  const page = await request.page.earlier(revision);
  return page && mailPage(ports, { ...request, page, isNew: false });
}

/** Composes a revision's mail once. Composes it again only for another comparison. */
class ComposedOnce {
  readonly #page: MailedPage;
  #last: { corrected: string; mail: ComposedMail } | undefined;

  constructor(page: MailedPage) {
    this.#page = page;
  }

  /** @param before the mail that it corrects, `null` for the first one */
  async against(before: CorrectedMail | null): Promise<ComposedMail> {
    const corrected = JSON.stringify(before);
    if (this.#last?.corrected === corrected) return this.#last.mail;
    const mail = await this.#page.compose(before);
    this.#last = { corrected, mail };
    return mail;
  }
}
