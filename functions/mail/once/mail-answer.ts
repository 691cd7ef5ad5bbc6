import { presentRound, presentEntries, roundStatus, decisiveEntries } from '#records/ledger/ledger-rounds.ts';
import type { Ledger, LedgerEntry } from '#records/ledger/ledger.ts';
import type { UnnamedNotice } from '../notices/ops-notice.ts';
import type { OpsNotices } from '../notices/ops-notices.ts';
import { DaybookError } from '#records/errors/daybook-error.ts';

/** A mail was certainly not accepted. Another run tries those recipients again. */
export class MailRefusedError extends DaybookError {
  override readonly name = 'MailRefusedError';
}

/** Time ran out before every recipient was written to. Another run continues. */
export class MailUnfinishedError extends DaybookError {
  override readonly name = 'MailUnfinishedError';
}

/** The ledger has no room for another round. No mail was sent. */
export class LedgerFullError extends DaybookError {
  override readonly name = 'LedgerFullError';
}

export interface MailAnswer {
  status: 'sent' | 'already-sent' | 'skipped' | 'held' | 'preview';
  reason?: string;
  messageIds: string[];
}

export type HeldNotice = (recipients: number) => UnnamedNotice;

interface NoticePorts {
  opsNotices: Pick<OpsNotices, 'notifyOnce'>;
}

interface AnsweredJob {
  key: string;
  heldNotice: HeldNotice;
}

function messageIdsOf(entries: Iterable<LedgerEntry>): string[] {
  return [...entries].flatMap(({ messageId }) => (messageId === null ? [] : [messageId]));
}

function reasonOfSkips(entries: readonly LedgerEntry[]): string {
  return entries.find((entry) => entry.reason !== null)?.reason ?? 'no recipient is left';
}

/** Notifies ops once for each round. */
export async function notifyOfHeld(ports: NoticePorts, job: AnsweredJob, ledger: Ledger): Promise<void> {
  const held = presentEntries(ledger).filter((entry) => entry.status === 'held');
  for (const [round, { length }] of Map.groupBy(held, (entry) => entry.round)) {
    const about = `mail held: ${job.key}, round ${round}`;
    await ports.opsNotices.notifyOnce({ about, ...job.heldNotice(length) });
  }
}

/** The answer from an earlier run's ledger; this run sends nothing. */
export async function settledAnswer(
  ports: NoticePorts,
  job: AnsweredJob,
  ledger: Ledger,
): Promise<MailAnswer> {
  await notifyOfHeld(ports, job, ledger);
  const messageIds = messageIdsOf(decisiveEntries(ledger).values());
  switch (ledger.status) {
    case 'held':
      return { status: 'held', messageIds };
    case 'skipped':
      return {
        status: 'skipped',
        reason: ledger.nothingToSend ?? ledger.reason ?? reasonOfSkips(presentEntries(ledger)),
        messageIds,
      };
    case 'intended':
    case 'accepted':
    case 'delivered':
    case 'bounced':
    case 'complained':
    case 'failed':
      return { status: 'already-sent', messageIds };
  }
}

/** The answer about the settled round. @throws {MailRefusedError} when a part of it was refused */
export async function roundAnswer(ports: NoticePorts, job: AnsweredJob, ledger: Ledger): Promise<MailAnswer> {
  await notifyOfHeld(ports, job, ledger);
  const written = presentRound(ledger);
  const messageIds = messageIdsOf(written);
  const failed = written.filter((entry) => entry.status === 'failed');
  if (failed.length > 0) {
    const reasons = [...new Set(failed.map((entry) => entry.reason))].join(', ');
    throw new MailRefusedError(
      `${job.key}: the mail service refused ${failed.length} of the mails (${reasons})`,
    );
  }
  const status = roundStatus(ledger);
  if (status === 'held') return { status: 'held', messageIds };
  if (status === 'skipped') return { status: 'skipped', reason: reasonOfSkips(written), messageIds };
  return { status: 'sent', messageIds };
}
