import type { Day } from '#records/day/business-day.ts';
import type { ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { globSync, readFileSync, readdirSync } from 'node:fs';
import { connect } from 'node:net';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import PostalMime from 'postal-mime';
import {
  sandboxMerchant,
  startPaymentsSandbox,
  type DayTruth,
  type SandboxMerchant,
} from '#sandbox/payments/index.ts';
import { exitCodeOf, membersOf } from '#support/assertions/index.ts';
import { runProgram, startScript } from '#support/run-script.ts';

export const LOCAL = fileURLToPath(new URL('../../../bin/local.ts', import.meta.url));

/** Milliseconds; a run that takes longer is ended, and its test fails. */
export const LONGEST = 60_000;

/** A day that has begun wherever and whenever the tests run. */
export const DAY = '2025-03-14';

/** What `npm start -- …args` does, from beginning to end. */
export function runLocal(...args: string[]) {
  return runProgram(process.execPath, [LOCAL, ...args], { timeout: LONGEST });
}

/** Starts `npm start -- …args` and resolves when it has printed `until`. */
export function startLocal(args: readonly string[], until: RegExp) {
  return startScript(LOCAL, args, until, LONGEST);
}

/** Sends the signal and gives the exit code. */
export async function endWith(child: ChildProcess, signal: NodeJS.Signals): Promise<number | null> {
  const code = exitCodeOf(child);
  child.kill(signal);
  return code;
}

export async function isListening(port: number): Promise<boolean> {
  const socket = connect(port, '127.0.0.1');
  try {
    await once(socket, 'connect');
    return true;
  } catch {
    return false;
  } finally {
    socket.destroy();
  }
}

async function truthsOf(
  directory: string,
  accounts: readonly (readonly [SandboxMerchant, Day])[],
): Promise<DayTruth[]> {
  const sandbox = await startPaymentsSandbox({
    merchants: accounts.map(([account]) => account),
    database: join(directory, 'payments.sqlite'),
  });
  const found = accounts.map(([{ merchantCode }, day]) => sandbox.data.truth(merchantCode, day));
  await sandbox.close();
  return found;
}

/** What the payment service holds of the first merchants. @param days a day of each: they are in several time zones */
export function truths(directory: string, days: readonly Day[]): Promise<DayTruth[]> {
  return truthsOf(
    directory,
    days.map((day, index) => [sandboxMerchant(index), day]),
  );
}

/** How many invoices the merchant of the alert rule (700904) has unpaid. */
export async function unpaidOfWatched(directory: string): Promise<number | undefined> {
  const [truth] = await truthsOf(directory, [[sandboxMerchant(903), DAY]]);
  return truth?.invoices.byStatus['0']?.count;
}

/** The words of each merchant's row, by merchant, of the table whose heading has this column. */
export function tableRows(printed: string, column: string): Map<string, string[]> {
  const lines = printed.split('\n');
  const heading = lines.findIndex((line) => line.startsWith('Merchant ') && line.includes(column));
  const rows = lines.slice(heading + 1, lines.indexOf('', heading)).map((row) => row.split(/ {2,}/));
  return new Map(rows.map(([merchantCode = '', ...cells]) => [merchantCode, cells]));
}

/** The row of figures that a truth amounts to. */
export function figureRow({ invoices, refunds }: DayTruth): string[] {
  const count = (status: string) => String(invoices.byStatus[status]?.count ?? 0);
  const amount = refunds.total.replace(/\d(?=(?:\d{3})+\.)/g, '$&,');
  return [String(invoices.count), count('1'), count('0'), count('3'), String(refunds.count), amount];
}

/** The mails that the directory holds, oldest first. */
export function mailFiles(directory: string): string[] {
  return readdirSync(join(directory, 'mail'))
    .filter((name) => name.endsWith('.eml'))
    .sort();
}

export function readMails(directory: string) {
  return Promise.all(
    mailFiles(directory).map(async (name) => {
      const {
        to,
        subject = '',
        text = '',
      } = await PostalMime.parse(readFileSync(join(directory, 'mail', name)));
      return { to: to?.[0]?.address ?? '', subject, text };
    }),
  );
}

export function ledgerStatuses(directory: string): Record<string, unknown> {
  const bucket = join(directory, 's3/daybook');
  const keys = globSync('mail/{day=*,alerts}/merchant=*/*.json', { cwd: bucket }).sort();
  const statusOf = (key: string) => membersOf(JSON.parse(readFileSync(join(bucket, key), 'utf8')))['status'];
  return Object.fromEntries(keys.map((key) => [key, statusOf(key)]));
}
