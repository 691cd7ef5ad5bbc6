import type { CommandContext } from '../context.ts';
import type { ExitStatus } from '../perform.ts';
import { beginWork } from '../terminal/progress.ts';
import { alarms } from './checks/alarms.ts';
import { certificate } from './checks/certificate.ts';
import { clock } from './checks/clock.ts';
import { configurationSet } from './checks/configuration-set.ts';
import { dmarc } from './checks/dmarc.ts';
import { lambdaQuota } from './checks/lambda-quota.ts';
import { references } from './checks/references.ts';
import { registry } from './checks/registry.ts';
import { schedules } from './checks/schedules.ts';
import { secrets } from './checks/secrets.ts';
import { sesAccount } from './checks/ses-account.ts';
import { sesIdentity } from './checks/ses-identity.ts';
import { topic } from './checks/topic.ts';
import { countsOf, examine } from './examine.ts';
import type { Check } from './check.ts';
import { createPatient } from './patient.ts';
import { showExamined } from './show-examined.ts';

/** In the order in which a mail needs them. */
const CHECKS: readonly Check[] = [
  registry,
  secrets,
  certificate,
  clock,
  references,
  schedules,
  lambdaQuota,
  sesAccount,
  sesIdentity,
  dmarc,
  configurationSet,
  topic,
  alarms,
];

/** Looks at everything between the stage and its mails. @param dnsServers empty: those of this machine */
export async function doctor(
  { stage: connect, output, now }: CommandContext,
  dnsServers: readonly string[],
): Promise<ExitStatus> {
  const stage = await connect();
  const patient = createPatient(stage, now, dnsServers);
  const work = beginWork(`looking at the stage ${stage.name}`, CHECKS.length);
  const checks = await examine(patient, CHECKS, work.done);
  work.stop();
  const counts = countsOf(checks);
  output.result({ stage: stage.name, counts, checks }, () => showExamined(output, checks, counts));
  return counts.wrong > 0 ? 1 : 0;
}
