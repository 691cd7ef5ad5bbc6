import * as z from 'zod';
import { addressHash } from '#records/storage/keys.ts';
import { presentRound } from '#records/ledger/ledger-rounds.ts';
import type { Ledger } from '#records/ledger/ledger.ts';
import type { Manifest } from '#records/revision/manifest.ts';
import type { SentMail } from '#sandbox/aws/index.ts';
import type { BrokenPromise } from './evidence.ts';

const answerSchema = z.object({
  expected: z.int(),
  delivered: z.int(),
  missing: z.array(z.object({ merchantCode: z.string(), day: z.string(), reason: z.string() })),
});

export interface ReportAsItIs {
  merchantCode: string;
  day: string;
  recipients: readonly string[];
  /** The manifests of the day, oldest first. */
  manifests: readonly Manifest[];
  ledgers: readonly Ledger[];
  /** The ledgers of the day, of all revisions. */
  mails: readonly SentMail[];
}

type Fact = (report: ReportAsItIs) => boolean;

function anyEntry(...statuses: string[]): Fact {
  return ({ ledgers }) =>
    ledgers.some((ledger) => presentRound(ledger).some(({ status }) => statuses.includes(status)));
}

const isSealed: Fact = ({ manifests }) => manifests.length > 0;
const isBalanced: Fact = ({ manifests }) => manifests.at(-1)?.balanced === true;
const isStopped =
  (word: RegExp): Fact =>
  ({ ledgers }) =>
    ledgers.some((ledger) => presentRound(ledger).some(({ reason }) => word.test(reason ?? '')));
const hasEverybodyMail: Fact = ({ recipients, mails }) =>
  recipients.every((address) => mails.some(({ destinations }) => destinations.includes(address)));
const isAllSkipped: Fact = ({ ledgers }) =>
  ledgers.length > 0 && ledgers.every(({ status }) => status === 'skipped');

const REASONS: readonly [RegExp, Fact][] = [
  [/^(?:no run|pull failed: \w+)$/, (report) => !isSealed(report)],
  [/^mail held$/, anyEntry('held', 'intended')],
  [/^mail not sent$/, (report) => !hasEverybodyMail(report) || anyEntry('failed', 'intended')(report)],
  [/^bounced$/, (report) => anyEntry('bounced')(report) || isStopped(/bounce/)(report)],
  [/^complained$/, (report) => anyEntry('complained')(report) || isStopped(/complain/)(report)],
  [/^unbalanced$/, (report) => isSealed(report) && !isBalanced(report)],
];

/** The watch calls a report delivered: then it is sealed and balanced, and every recipient has the mail. */
function deliveredFault(report: ReportAsItIs): string | undefined {
  if (!isSealed(report)) return 'is delivered according to the watch, but nothing is sealed';
  if (!isBalanced(report)) return 'is delivered according to the watch, but does not balance';
  const newest = report.ledgers.findLast(({ recipients }) => recipients.length > 0);
  if (newest === undefined) {
    return isAllSkipped(report) ? undefined : 'is delivered according to the watch, but no mail was begun';
  }
  const written = new Map(presentRound(newest).map(({ to, status }) => [to, status]));
  const without = report.recipients.filter(
    (address) => !['accepted', 'delivered', 'skipped'].includes(written.get(addressHash(address)) ?? 'none'),
  );
  return without.length === 0
    ? undefined
    : `is delivered according to the watch, but not to ${without.join(', ')}`;
}

/** The watch's answer is true: every named merchant is missing for the given reason, and no other is missing. */
export function watchAnswer(answer: unknown, reports: readonly ReportAsItIs[]): BrokenPromise[] {
  const { expected, delivered, missing } = answerSchema.parse(answer);
  const faults: BrokenPromise[] = [];
  if (expected !== reports.length || delivered !== expected - missing.length) {
    faults.push({ what: `the watch counts ${delivered} of ${expected}; ${reports.length} were due` });
  }
  for (const report of reports) {
    const { merchantCode, day } = report;
    const named = missing.find((one) => one.merchantCode === merchantCode && one.day === day);
    const fault = named === undefined ? deliveredFault(report) : missingFault(named.reason, report);
    if (fault !== undefined) faults.push({ merchantCode, day, what: fault });
  }
  const due = new Set(reports.map(({ merchantCode, day }) => `${merchantCode} ${day}`));
  for (const { merchantCode, day, reason } of missing) {
    if (due.has(`${merchantCode} ${day}`)) continue;
    faults.push({
      merchantCode,
      day,
      what: `is missing according to the watch (${reason}), but was not due`,
    });
  }
  return faults;
}

function missingFault(reason: string, report: ReportAsItIs): string | undefined {
  const fact = REASONS.find(([words]) => words.test(reason))?.[1];
  if (fact === undefined) return `is missing for an unknown reason: ${reason}`;
  return fact(report) ? undefined : `is missing according to the watch (${reason}), but that is not true`;
}
