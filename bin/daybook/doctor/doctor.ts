import { RegistryError } from '#registry/registry-errors.ts';
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

async function lookAt<Checked>(
  checked: Checked,
  { name, looksAt, look }: Check<Checked>,
): Promise<CheckResult> {
  const result = { check: name, lookedAt: looksAt(checked) };
  try {
    return { ...result, findings: await look(checked) };
  } catch (error) {
    return { ...result, findings: [unknown(reasonOf(error))] };
  }
}

function reasonOf(error: unknown): string {
  if (error instanceof CannotLookError || error instanceof CommandError) return error.message;
  // What is wrong with it, its own check says.
  if (error instanceof RegistryError) return 'the registry cannot be used';
  return awsComplaint(error) ?? (error instanceof Error ? `${error.name}: ${error.message}` : String(error));
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

function showResults(output: Output, results: readonly CheckResult[]): void {
  const all = results.flatMap(({ findings, ...of }) => findings.map((finding) => ({ ...of, ...finding })));
  const counts: string[] = [];
  for (const { verdict, title, counted, style } of GROUPS) {
    const rows = all.filter((row) => row.verdict === verdict);
    if (rows.length === 0) continue;
    // Only `warning` has a plural: the others are adjectives.
    const plural = verdict === 'warning' && rows.length > 1 ? 's' : '';
    counts.push(output.style(style, `${rows.length} ${counted}${plural}`));
    if (verdict === 'fine') {
      const cells = rows.map(({ check, lookedAt, found }) => [check, lookedAt, found]);
      output.table([title, 'Checked', 'Found'], cells);
    } else {
      output.line(output.style(style, title));
      for (const { check, lookedAt, found, mend } of rows) {
        output.line(`  ${output.style('bold', check)}, ${shown(lookedAt)}: ${shown(found, LONGEST)}`);
        // Often a long line. It stays one line, so that it can be copied.
        if (mend !== undefined) output.line(`    → ${shown(mend, LONGEST)}`);
      }
    }
    output.line();
  }
  output.line(counts.join(', '));
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
  dnsServer?: readonly string[];
  /** Before a deploy: the file of the settings, or `true` for that of the stage in lib/stages. */
  before?: string | true;
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
  const checks = await output.during(`Checking ${what} ${name}`, list.length, ({ done }) => {
    let count = 0;
    return Promise.all(list.map((check) => lookAt(checked, check).finally(() => done((count += 1)))));
  });
  const counts: Record<Verdict, number> = { wait: 0, wrong: 0, warning: 0, unknown: 0, fine: 0 };
  for (const { verdict } of checks.flatMap(({ findings }) => findings)) counts[verdict] += 1;
  output.result({ stage: name, counts, checks }, () => showResults(output, checks));
  return counts.wrong + counts.wait > 0 ? 1 : 0;
}
