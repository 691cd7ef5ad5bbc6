import {
  withWriterGone,
  settledStatus,
  perhapsReceived,
  refusedRecipients,
  withRefusedSkipped,
  withUnsettledHeld,
} from '#records/ledger/ledger-rounds.ts';
import type { Ledger } from '#records/ledger/ledger.ts';
import { addressesOnce } from '#registry/mail-address.ts';
import { tagsOfPage } from '#mail/mail-sender.ts';
import type { PageDecision } from './mail-decision.ts';
import { explain, sendAgain, type UnnamedNotice } from '#mail/notices/ops-notice.ts';
import { addressHash, isMerchantDay, pageLedgerKey } from '#records/storage/keys.ts';
import type { PagePlace, PageId } from '#records/storage/keys.ts';
import { notifyOfHeld, type MailAnswer } from '#mail/once/mail-answer.ts';
import { formerRecipients, isStillAtWork, lackingRecipients, mailOnce } from '#mail/once/mail-once.ts';
import type { MailBeginning, MailJob, MailPorts } from '#mail/once/mail-once.ts';
import type { ComposedMail } from '#mail/once/mail-round.ts';
import { mailThatCounts } from './mail-that-counts.ts';
import type { Figures } from '#records/figures/figure-schemas.ts';
import { newRunId } from '#runtime/clock.ts';
import type { Telemetry } from '#runtime/telemetry.ts';

export interface LastMailed {
  revision: number;
  figures: Figures | null;
  soFar: boolean;
  ledger: Ledger;
}

type CorrectedMail = Pick<LastMailed, 'revision' | 'figures'>;

export interface MailWish {
  /** `null` for the first mail. */
  corrects: CorrectedMail | null;
  /** `false`: what the page tells of others is left out. */
  tells: boolean;
}

/** To whom a page is sent again: nobody, everybody, those who do not have it, or these recipients. */
type Resend = boolean | 'failed' | readonly string[];

/** A merchant's day, a statement or a group's page: the mailing knows no more of it. */
export interface MailedPage {
  id: PageId;
  revision: number;
  /** `null` when they are not compared. */
  figures: Figures | null;
  soFar: boolean;
  /** ISO 8601, UTC. A ledger that nobody wrote gets it and the run. */
  readAt: string;
  readBy: string;
  firstKind: 'report' | 'statement' | 'group';
  recipients: readonly string[];
  /** `undefined` when it is gone or spoilt. */
  sealed(revision: number): Promise<{ figures: Figures | null; soFar: boolean } | undefined>;
  /** @param before the earlier mail that still counts */
  decide(before: LastMailed | null): PageDecision | Promise<PageDecision>;
  compose(wish: MailWish): Promise<ComposedMail>;
  /** Whether its first mail still tells what the page tells of others. Left out: it tells nothing. */
  tells?(): Promise<boolean>;
  earlier(revision: number): Promise<MailedPage | undefined>;
}

interface PageMailRequest {
  page: MailedPage;
  /** Then it has no ledger yet, or nearly never. */
  isNew?: boolean;
  send: boolean;
  resend: Resend;
  writer: string;
  /** Milliseconds UTC. */
  deadline: number;
}

/** Mails a revision once: as first mail, as correction, or not at all. @throws as {@link mailOnce} */
async function mailPage(ports: MailPorts, request: PageMailRequest): Promise<MailAnswer> {
  const { page, send } = request;
  const place = { ...page.id, revision: page.revision };
  const key = pageLedgerKey(place);
  if (!send && request.isNew !== true && (await ports.ledgers.read(key)) !== undefined) {
    return { status: 'skipped', reason: 'not asked for', messageIds: [] };
  }
  const composed = composedOnce(page);
  let madeUpFor: MailAnswer | undefined;
  const answer = await mailOnce(ports, {
    ...request,
    resend: resendRecipients(ports, page, request.resend),
    key,
    tags: tagsOfPage(place),
    recipients: page.recipients,
    begin: async (): Promise<MailBeginning> => {
      const { figures, firstKind } = page;
      const before = await lastMailed(ports, request);
      const decision = mailedToNobody(request) ?? (await page.decide(before));
      if (decision.kind === 'correction' && before !== null) {
        const { corrects = before.revision } = decision;
        return { kind: 'correction', corrects, figures, skipped: null };
      }
      if (decision.kind !== 'skipped') {
        // What this run has just sealed is the newest.
        const tells = request.isNew === true || (await page.tells?.()) !== false;
        return { kind: firstKind, figures, ...(!tells && { tells }), skipped: null };
      }
      // Before this revision's ledger says that there is nothing to mail: who did not get the earlier mail,
      // which is still valid, still has to get it.
      if (before !== null && send && request.resend === false)
        madeUpFor = await makeUpFor(ports, request, before);
      return { kind: firstKind, figures, skipped: decision.reason };
    },
    compose: async ({ kind, corrects = null, tells = true }) =>
      composed({
        corrects: kind === 'correction' ? await correctedMail(ports, request, corrects) : null,
        tells,
      }),
    ...(page.tells !== undefined && { tells: () => page.tells?.() ?? Promise.resolve(true) }),
    heldNotice: (held) => heldNotice(place, held),
  });
  return madeUpFor ?? answer;
}

function mailedToNobody({ page, send }: PageMailRequest): PageDecision | undefined {
  if (!send) return { kind: 'skipped', reason: 'not asked for' };
  if (page.recipients.length > 0) return undefined;
  const whose = page.id.owner.group === undefined ? 'merchant' : 'group';
  return { kind: 'skipped', reason: `the ${whose} has no recipients` };
}

function resendRecipients(ports: MailPorts, page: MailedPage, resend: Resend): MailJob['resend'] {
  if (typeof resend === 'boolean') return resend;
  const recipients = [...addressesOnce(page.recipients).keys()];
  const isSoFar = async (revision: number) => (await page.sealed(revision))?.soFar === true;
  return async (ledger) => {
    const place = { ...page.id, revision: page.revision };
    const counts = (await mailThatCounts(ports.ledgers, place, ledger, isSoFar)) ?? ledger;
    if (resend === 'failed') return lackingRecipients(ports, pageLedgerKey(place), counts, recipients);
    const to = [...addressesOnce(resend).keys()];
    return { to, former: formerRecipients(counts, recipients), ifNone: 'no recipient is named' };
  };
}

/**
 * The corrected mail as the correction's ledger names it, so that events about that mail do not change a
 * later run's correction; else the last sent. `null` when no earlier figures are known.
 */
async function correctedMail(
  ports: MailPorts,
  request: PageMailRequest,
  corrects: number | null,
): Promise<CorrectedMail | null> {
  const last =
    corrects === null
      ? await lastMailed(ports, request)
      : {
          revision: corrects,
          ledger: (await ports.ledgers.read(pageLedgerKey({ ...request.page.id, revision: corrects })))
            ?.ledger,
        };
  if (last === null) return null;
  const figures = last.ledger?.figures ?? (await request.page.sealed(last.revision))?.figures ?? null;
  return figures === null ? null : { revision: last.revision, figures };
}

/** Mails the earlier one to those who certainly did not get it; `undefined` when all did, or may have. */
async function makeUpFor(
  ports: MailPorts,
  request: PageMailRequest,
  { revision, ledger }: LastMailed,
): Promise<MailAnswer | undefined> {
  if (refusedRecipients(ledger).length === 0) return undefined;
  const page = await request.page.earlier(revision);
  return page && mailPage(ports, { ...request, page, isNew: false });
}

/** Composes a mail again only for another wish. */
function composedOnce(page: MailedPage): MailedPage['compose'] {
  let last: { wished: string; mail: ComposedMail } | undefined;
  return async (wish) => {
    const wished = JSON.stringify(wish);
    if (last?.wished !== wished) last = { wished, mail: await page.compose(wish) };
    return last.mail;
  };
}

/**
 * The newest earlier revision that a recipient has or may have. No older one may be mailed after this one: waits for
 * runs that mail an earlier one, settles a dead run's ledger, and creates missing ones as `skipped`.
 */
async function lastMailed(
  ports: MailPorts,
  { page, writer, deadline }: PageMailRequest,
): Promise<LastMailed | null> {
  for (let revision = page.revision - 1; revision >= 1;) {
    const key = pageLedgerKey({ ...page.id, revision });
    const earlier = await ports.ledgers.read(key);
    if (earlier === undefined) {
      // If that run has created its ledger in the meantime, the next turn of the loop reads it.
      await ports.ledgers.create(key, await supersededLedger(page, revision), ports.clock.now());
      continue;
    }
    if (await isStillAtWork(ports, earlier.ledger, deadline)) continue;
    const { ledger } = earlier;
    const soFar = (await page.sealed(revision))?.soFar === true;
    const before = { revision, figures: ledger.figures, soFar, ledger };
    const now = ports.clock.now();
    const closed = await closedBefore(before, page, new Date(now).toISOString());
    if (closed !== undefined) {
      // If a run of that revision is late, it finds a changed ledger and stops.
      const superseded = { ...closed, writer, reason: supersededBy(page) };
      await ports.ledgers.update(key, superseded, earlier.version, now);
      continue;
    }
    // This also runs when another run closed the ledger: that run may have died before it notified ops.
    const place = { ...page.id, revision };
    await notifyOfHeld(ports, { key, heldNotice: (held) => heldNotice(place, held) }, ledger);
    if (perhapsReceived(ledger)) return before;
    revision -= 1;
  }
  return null;
}

/**
 * The earlier ledger, closed; `undefined` when it is already so. Nobody may get a mail that is not valid any
 * more; a refused recipient gets this revision, as everybody.
 */
async function closedBefore(before: LastMailed, page: MailedPage, at: string): Promise<Ledger | undefined> {
  const { ledger } = before;
  const isDead = ledger.status === 'intended';
  if (!isDead && refusedRecipients(ledger).length === 0) return undefined;
  if (await isStillValid(before, page)) {
    return isDead ? withWriterGone(ledger, page.recipients.map(addressHash), at) : undefined;
  }
  const settled = withRefusedSkipped(withUnsettledHeld(ledger, at), supersededBy(page), at);
  return { ...settled, status: settledStatus(settled) };
}

/** Whether the earlier mail stays the one to have, because no mail of this revision follows it. */
async function isStillValid(before: LastMailed, page: MailedPage): Promise<boolean> {
  // The mail about an unfinished day is out of date once the day is whole, even if no figure has changed.
  const isOver = before.soFar && !page.soFar;
  return !isOver && perhapsReceived(before.ledger) && (await page.decide(before)).kind === 'skipped';
}

function supersededBy({ revision }: MailedPage): string {
  return `revision ${revision} came before it was mailed`;
}

async function supersededLedger(page: MailedPage, revision: number): Promise<Ledger> {
  const { readAt, readBy, firstKind, figures } = page;
  const sealed = await page.sealed(revision);
  return {
    status: 'skipped',
    kind: firstKind,
    figures: sealed === undefined ? figures : sealed.figures,
    intendedAt: readAt,
    until: readAt,
    writer: readBy,
    round: 1,
    reason: supersededBy(page),
    nothingToSend: supersededBy(page),
    recipients: [],
  };
}

export function heldNotice(place: PagePlace, recipients: number): UnnamedNotice {
  const { owner, period, revision } = place;
  const isDay = isMerchantDay(place);
  const what = isDay ? 'a report' : owner.group === undefined ? 'a statement' : "a group's page";
  return {
    merchants: owner.merchantCode === undefined ? [] : [owner.merchantCode],
    ...(owner.group !== undefined && { groups: [owner.group] }),
    days: isDay ? [period] : [],
    ...(!isDay && { periods: [period] }),
    happened: `mail of ${what} is held`,
    meaning: [
      `It is not known whether the mail of revision ${revision} reached ${recipients} of its recipients.`,
      'The connection to SES broke after the mail was handed over, or the run died at that moment.',
    ],
    tried: [
      'Daybook does not send the mail again by itself, because a recipient could then get it twice.',
      'Events of SES settle most held mails within minutes, if a configuration set is used.',
    ],
    toDo: [
      'Run the first command. If no recipient is "held" any more, you need do nothing.',
      'Otherwise look for the mail in the log of SES, or ask the recipient whether it arrived.',
      'If it did not arrive, send the newest revision again with the last command. It goes to those recipients only who do not have the mail.',
    ],
    headings: ['mailHeld'],
    commands: [
      explain(place, 'What became of the mail, for each recipient'),
      { shows: 'The ledger of the mail', does: 'show object', key: pageLedgerKey(place) },
      sendAgain(place),
    ],
  };
}

export interface AskedMail {
  send: boolean;
  to?: readonly string[] | undefined;
  resend: Resend;
}

interface MailToMake {
  page: MailedPage;
  isNew: boolean;
  preview: () => Promise<ComposedMail>;
  /** Milliseconds UTC. */
  deadline: number;
}

/** The most ids of messages in an answer. */
const MOST_MESSAGE_IDS = 500;

export function listedMail(mail: MailAnswer): MailAnswer {
  return { ...mail, messageIds: mail.messageIds.slice(0, MOST_MESSAGE_IDS) };
}

/** Mails a page to its recipients, as a preview, or not at all. The answer names the first messages. */
export async function mailAsAsked(
  ports: MailPorts & { telemetry: Pick<Telemetry, 'count'> },
  asked: AskedMail,
  toMake: MailToMake,
): Promise<MailAnswer> {
  const mail = await mailed(ports, asked, toMake);
  if (mail.status === 'sent') ports.telemetry.count('MailsSent', mail.messageIds.length);
  if (mail.status === 'held') ports.telemetry.count('MailsHeld', 1);
  return listedMail(mail);
}

async function mailed(
  ports: MailPorts,
  { send, to, resend }: AskedMail,
  { page, isNew, preview, deadline }: MailToMake,
): Promise<MailAnswer> {
  if (to === undefined) {
    return mailPage(ports, { page, isNew, send, resend, writer: newRunId(ports.clock.now()), deadline });
  }
  // A preview does not use ledgers. With `send: false` it does nothing.
  if (!send) return { status: 'skipped', reason: 'not asked for', messageIds: [] };
  const tags = tagsOfPage({ ...page.id, revision: page.revision });
  // Loaded with the list of public mail domains, which few runs need.
  const { mailPreview } = await import('#mail/mail-preview.ts');
  return mailPreview(ports, { composed: await preview(), to, tags, deadline });
}
