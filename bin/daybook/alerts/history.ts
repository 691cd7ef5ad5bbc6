import { paginateListObjectsV2 } from '@aws-sdk/client-s3';
import pLimit from 'p-limit';
import { isUnreadableObject } from '#aws/unreadable-object.ts';
import { standingEntries } from '#domain/ledger/ledger-standing.ts';
import type { Ledger } from '#domain/ledger/ledger.ts';
import { alertLedgerKey, alertLedgerPrefix } from '#domain/storage/keys.ts';
import { S3LedgerStore } from '#mailing/s3-ledger-store.ts';
import type { CommandContext } from '../context.ts';
import type { ExitStatus } from '../perform.ts';
import { UsageError } from '../terminal/command-errors.ts';
import { givenCode } from './given-code.ts';
import { utcMinute } from '../terminal/utc-minute.ts';

/** An alert mail and what became of it. */
interface SentAlert {
  /** The name of its check: the time of the check, and a hash of what the mail says. */
  check: string;
  /** When a check first wanted to send it (ISO 8601, UTC). `null` when its ledger cannot be read. */
  at: string | null;
  /** `null` when its ledger does not say it: an earlier version wrote it. */
  alerts: { rule: string; says: string }[] | null;
  status: Ledger['status'] | 'not readable';
  /** How many recipients have which status. */
  recipients: Record<string, number>;
  /** Why it was not sent, or did not arrive. */
  reason: string | null;
}

const READS_AT_ONCE = 16;
const MOST_LISTED = 1_000;

function lastIn(text: string): number {
  const last = Number(text);
  if (/^\d{1,4}$/.test(text) && last >= 1 && last <= MOST_LISTED) return last;
  throw new UsageError(`--last must be a whole number from 1 to ${MOST_LISTED}`);
}

function sentAlert(check: string, ledger: Ledger): SentAlert {
  const entries = [...standingEntries(ledger).values()];
  const counts = Map.groupBy(entries, ({ status }) => status);
  return {
    check,
    at: ledger.intendedAt,
    alerts: ledger.alerts ?? null,
    status: ledger.status,
    recipients: Object.fromEntries([...counts].map(([status, of]) => [status, of.length])),
    reason: ledger.reason ?? entries.find(({ reason }) => reason !== null)?.reason ?? null,
  };
}

/** Names of checks begin with their time, so the order of the names is that of the times. */
async function checksOf(context: CommandContext, merchantCode: string): Promise<string[]> {
  const stage = await context.stage();
  const prefix = alertLedgerPrefix(merchantCode);
  const checks: string[] = [];
  const input = { Bucket: stage.bucket, Prefix: prefix };
  for await (const { Contents: contents = [] } of paginateListObjectsV2({ client: stage.s3() }, input)) {
    for (const { Key: key = '' } of contents) {
      const check = key.slice(prefix.length, -'.json'.length);
      if (alertLedgerKey(merchantCode, check) === key) checks.push(check);
    }
  }
  return checks.sort().reverse();
}

/** Does `daybook alerts history`. */
export async function history(
  context: CommandContext,
  text: string,
  options: { last: string },
): Promise<ExitStatus> {
  const { output } = context;
  const [merchantCode, last] = [givenCode(text), lastIn(options.last)];
  const stage = await context.stage();
  const checks = await checksOf(context, merchantCode);
  const ledgers = new S3LedgerStore(stage.s3(), stage.bucket);
  const read = pLimit(READS_AT_ONCE).map(checks.slice(0, last), async (check): Promise<SentAlert[]> => {
    try {
      const standing = await ledgers.read(alertLedgerKey(merchantCode, check));
      return standing === undefined ? [] : [sentAlert(check, standing.ledger)];
    } catch (error) {
      if (!isUnreadableObject(error)) throw error;
      const { message: reason } = error;
      return [{ check, at: null, alerts: null, status: 'not readable', recipients: {}, reason }];
    }
  });
  const mails = (await read).flat();
  output.result({ stage: stage.name, merchantCode, total: checks.length, mails }, () => {
    if (mails.length === 0) output.line(`No alert mail of ${merchantCode} is recorded.`);
    output.table(
      ['Time (UTC)', 'Rules', 'Status', 'Recipients', 'Reason'],
      mails.map(({ at, alerts, status, recipients, reason }) => [
        utcMinute(at),
        alerts?.map(({ rule, says }) => `${rule} ${says}`).join(', ') ?? 'not recorded',
        { text: status, style: status === 'accepted' || status === 'delivered' ? 'green' : 'red' },
        Object.entries(recipients)
          .map(([of, count]) => `${count} ${of}`)
          .join(', ') || '-',
        reason ?? '-',
      ]),
    );
    const more = checks.length - mails.length;
    if (more > 0) output.note(`and ${more.toLocaleString('en')} older ones: --last ${checks.length}`);
  });
  return 0;
}
