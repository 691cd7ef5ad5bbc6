import { paginateListObjectsV2 } from '@aws-sdk/client-s3';
import pLimit from 'p-limit';
import { isUnreadableObject } from '#runtime/s3-objects.ts';
import { decisiveEntries } from '#records/ledger/ledger-outcome.ts';
import type { Ledger } from '#records/ledger/ledger.ts';
import { alertLedgerKey, alertLedgerPrefix } from '#records/storage/keys.ts';
import { LedgerStore } from '#mail/ledger-store.ts';
import type { CommandContext } from '../context.ts';
import type { ExitStatus } from '../perform.ts';
import type { Stage } from '../stage/stage.ts';
import { UsageError } from '../terminal/command-errors.ts';
import { utcMinute } from '../terminal/words.ts';
import { assertCode } from '../stage/known-names.ts';

/** An alert mail and what became of it. */
export interface SentAlert {
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
  const entries = [...decisiveEntries(ledger).values()];
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

/** The checks with a mail, the newest first. Names of checks begin with their time, so the order of the names is that of the times. */
export async function checksOf(context: CommandContext, merchantCode: string): Promise<string[]> {
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

/** The statuses of a mail that nobody has to look at. */
const WELL: ReadonlySet<SentAlert['status']> = new Set(['accepted', 'delivered', 'intended', 'skipped']);

/** What is recorded of one alert mail, `undefined` when no run began it. */
export async function readAlert(
  { s3, bucket }: Pick<Stage, 'bucket' | 's3'>,
  merchantCode: string,
  check: string,
): Promise<SentAlert | undefined> {
  try {
    const standing = await new LedgerStore(s3(), bucket).read(alertLedgerKey(merchantCode, check));
    return standing && sentAlert(check, standing.ledger);
  } catch (error) {
    if (!isUnreadableObject(error)) throw error;
    const { message: reason } = error;
    return { check, at: null, alerts: null, status: 'not readable', recipients: {}, reason };
  }
}

/** Such as `2 delivered, 1 held`. */
export function recipientsInWords({ recipients }: SentAlert): string {
  return Object.entries(recipients)
    .map(([of, count]) => `${count} ${of}`)
    .join(', ');
}

/** Does `daybook alerts history`. */
export async function history(
  context: CommandContext,
  merchantCode: string,
  options: { last: string },
): Promise<ExitStatus> {
  const { output } = context;
  assertCode(merchantCode);
  const last = lastIn(options.last);
  const stage = await context.stage();
  const checks = await checksOf(context, merchantCode);
  const read = pLimit(READS_AT_ONCE).map(checks.slice(0, last), (check) =>
    readAlert(stage, merchantCode, check),
  );
  const mails = (await read).filter((mail) => mail !== undefined);
  output.result({ stage: stage.name, merchantCode, total: checks.length, mails }, () => {
    if (mails.length === 0) output.line(`No alert mail of ${merchantCode} is recorded.`);
    output.table(
      ['Time (UTC)', 'Rules', 'Status', 'Recipients', 'Reason'],
      mails.map((mail) => [
        utcMinute(mail.at),
        mail.alerts?.map(({ rule, says }) => `${rule} ${says}`).join(', ') ?? 'not recorded',
        { text: mail.status, style: WELL.has(mail.status) ? 'green' : 'red' },
        recipientsInWords(mail) || '-',
        mail.reason ?? '-',
      ]),
    );
    const more = checks.length - mails.length;
    if (more > 0) output.note(`and ${more.toLocaleString('en')} older ones: --last ${checks.length}`);
  });
  return mails.every(({ status }) => WELL.has(status)) ? 0 : 1;
}
