import type { CommandContext, ExitStatus } from '../context.ts';
import { alarms, topic } from './checks/notices.ts';
import { certificate, clock, dmarc } from './checks/connections.ts';
import { configurationSet, sesAccount, sesIdentity } from './checks/ses.ts';
import { lake, lakeFormation } from './checks/lake.ts';
import { lambdaQuota, functions, queues, schedules } from './checks/functions.ts';
import { registry, secrets } from './checks/merchants.ts';
import type { Check, Finding, Verdict } from './check.ts';
import { CHECKS_BEFORE, accountBefore } from './before.ts';
import { createCheckedStage, CannotLookError, unknown } from './check.ts';
import type { Output } from '../terminal/output.ts';
import { shown } from '../terminal/shown-text.ts';
import type { Style } from '../terminal/table.ts';
import { awsComplaint } from '../stage/aws-complaint.ts';
import { CommandError } from '../terminal/command-errors.ts';

interface CheckResult {
  check: string;
  lookedAt: string;
  findings: Finding[];
}

async function runChecks<Checked>(
  checked: Checked,
  checks: readonly Check<Checked>[],
  done: (count: number) => void,
): Promise<CheckResult[]> {
  let count = 0;
  return Promise.all(
    checks.map(async (check) => {
      const findings = await lookAt(checked, check);
      done((count += 1));
      return { check: check.name, lookedAt: check.looksAt(checked), findings };
    }),
  );
}

async function lookAt<Checked>(checked: Checked, check: Check<Checked>): Promise<Finding[]> {
  try {
    return await check.look(checked);
  } catch (error) {
    return [unknown(reasonOf(error))];
  }
}

function reasonOf(error: unknown): string {
  if (error instanceof CannotLookError || error instanceof CommandError) return error.message;
  return awsComplaint(error) ?? (error instanceof Error ? `${error.name}: ${error.message}` : String(error));
}

function countsOf(results: readonly CheckResult[]): Record<Verdict, number> {
  const counts: Record<Verdict, number> = { wait: 0, wrong: 0, warning: 0, unknown: 0, fine: 0 };
  for (const { verdict } of results.flatMap(({ findings }) => findings)) counts[verdict] += 1;
  return counts;
}

/** What somebody has to correct comes first. */
const GROUPS: readonly { verdict: Verdict; title: string; counted: string; style: Style }[] = [
  { verdict: 'wait', title: 'Ask first: others may take days', counted: 'to ask for', style: 'red' },
  { verdict: 'wrong', title: 'Wrong', counted: 'wrong', style: 'red' },
  { verdict: 'warning', title: 'Warnings', counted: 'warning', style: 'yellow' },
  { verdict: 'unknown', title: 'Not checked', counted: 'not checked', style: 'cyan' },
  { verdict: 'fine', title: 'Fine', counted: 'fine', style: 'green' },
];

const LONGEST = 1_000;

interface Row extends Finding {
  check: string;
  lookedAt: string;
}

function showResults(output: Output, results: readonly CheckResult[], counts: Record<Verdict, number>): void {
  for (const { verdict, title, style } of GROUPS) {
    const rows = results.flatMap(({ check, lookedAt, findings }) =>
      findings
        .filter((finding) => finding.verdict === verdict)
        .map((finding) => ({ check, lookedAt, ...finding })),
    );
    if (rows.length === 0) continue;
    if (verdict === 'fine') showTable(output, title, rows);
    else showList(output, output.style(style, title), rows);
    output.line();
  }
  output.line(
    GROUPS.filter(({ verdict }) => counts[verdict] > 0)
      .map(({ verdict, counted, style }) => output.style(style, countText(counts[verdict], counted)))
      .join(', '),
  );
}

/** Only `warning` has a plural: the others are adjectives. */
function countText(count: number, counted: string): string {
  return `${count} ${counted === 'warning' && count !== 1 ? 'warnings' : counted}`;
}

function showTable(output: Output, title: string, rows: readonly Row[]): void {
  output.table(
    [title, 'Checked', 'Found'],
    rows.map(({ check, lookedAt, found }) => [check, lookedAt, found]),
  );
}

/** What to do is often a long line. It stays one line, so that it can be copied. */
function showList(output: Output, title: string, rows: readonly Row[]): void {
  output.line(title);
  for (const { check, lookedAt, found, mend } of rows) {
    output.line(`  ${output.style('bold', check)}, ${shown(lookedAt)}: ${shown(found, LONGEST)}`);
    if (mend !== undefined) output.line(`    → ${shown(mend, LONGEST)}`);
  }
}

/** In the order in which a mail needs them. The lake is last: no mail needs it. */
const CHECKS: readonly Check[] = [
  registry,
  secrets,
  certificate,
  clock,
  functions,
  schedules,
  queues,
  lambdaQuota,
  sesAccount,
  sesIdentity,
  dmarc,
  configurationSet,
  topic,
  alarms,
  lakeFormation,
  lake,
];

interface DoctorOptions {
  dnsServer?: readonly string[] | undefined;
  /** Before a deploy: the file of the settings, or `true` for that of the stage in lib/stages. */
  before?: string | true | undefined;
}

/**
 * Does `daybook doctor`: checks everything that the stage needs to send its mails, and the first day of its lake. With
 * `--before`, it looks at the account that the stage will be deployed to.
 *
 * @throws {CommandError} when there is no such stage
 */
export async function doctor(
  context: CommandContext,
  { dnsServer = [], before }: DoctorOptions,
): Promise<ExitStatus> {
  if (before !== undefined) {
    const account = accountBefore(context, before, dnsServer);
    // Without credentials no check says anything: then this fails.
    await account.stacks();
    return examine(context.output, account, CHECKS_BEFORE, 'the account for the stage');
  }
  const stage = await context.stage();
  return examine(context.output, createCheckedStage(stage, context.now, dnsServer), CHECKS, 'the stage');
}

async function examine<Checked extends { stage: { name: string } }>(
  output: Output,
  checked: Checked,
  list: readonly Check<Checked>[],
  what: string,
): Promise<ExitStatus> {
  const { name } = checked.stage;
  const checks = await output.during(`Checking ${what} ${name}`, list.length, ({ done }) =>
    runChecks(checked, list, done),
  );
  const counts = countsOf(checks);
  output.result({ stage: name, counts, checks }, () => showResults(output, checks, counts));
  return counts.wrong + counts.wait > 0 ? 1 : 0;
}
