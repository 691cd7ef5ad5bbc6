import type { CommandContext } from '../context.ts';
import type { ExitStatus } from '../perform.ts';
import { alarms } from './checks/alarms.ts';
import { certificate } from './checks/certificate.ts';
import { clock } from './checks/clock.ts';
import { configurationSet } from './checks/configuration-set.ts';
import { dmarc } from './checks/dmarc.ts';
import { lake } from './checks/lake.ts';
import { lakeFormation } from './checks/lake-formation.ts';
import { lambdaQuota } from './checks/lambda-quota.ts';
import { functions } from './checks/functions.ts';
import { registry } from './checks/registry.ts';
import { schedules } from './checks/schedules.ts';
import { secrets } from './checks/secrets.ts';
import { sesAccount } from './checks/ses-account.ts';
import { sesIdentity } from './checks/ses-identity.ts';
import { stepFunctionsQuota } from './checks/step-functions-quota.ts';
import { topic } from './checks/topic.ts';
import { countsOf, runChecks } from './run-checks.ts';
import type { Check } from './check.ts';
import { createCheckedStage } from './checked-stage.ts';
import { showResults } from './show-results.ts';

/** In the order in which a mail needs them. The lake is last: no mail needs it. */
const CHECKS: readonly Check[] = [
  registry,
  secrets,
  certificate,
  clock,
  functions,
  schedules,
  lambdaQuota,
  stepFunctionsQuota,
  sesAccount,
  sesIdentity,
  dmarc,
  configurationSet,
  topic,
  alarms,
  lakeFormation,
  lake,
];

/**
 * Does `daybook doctor`: checks everything that the stage needs to send its mails, and the first day of its lake.
 *
 * @param dnsServers addresses with or without a port. Empty: those of this machine
 * @throws {CommandError} when there is no such stage
 */
export async function doctor(
  { stage: connect, output, now }: CommandContext,
  dnsServers: readonly string[],
): Promise<ExitStatus> {
  const stage = await connect();
  const checked = createCheckedStage(stage, now, dnsServers);
  const work = output.begin(`Checking the stage ${stage.name}`, CHECKS.length);
  const checks = await runChecks(checked, CHECKS, work.done);
  work.stop();
  const counts = countsOf(checks);
  output.result({ stage: stage.name, counts, checks }, () => showResults(output, checks, counts));
  return counts.wrong > 0 ? 1 : 0;
}
