import { paginateDescribeAlarms } from '@aws-sdk/client-cloudwatch';
import type { MetricAlarm } from '@aws-sdk/client-cloudwatch';
import { fine, warning, wrong } from '../finding.ts';
import type { Check } from '../check.ts';
import type { Finding } from '../finding.ts';
import type { CheckedStage } from '../checked-stage.ts';

/** The alarms of the stage: which of them ring, and what that means. */
export const alarms: Check = {
  name: 'Alarms',
  looksAt: ({ stage }) => `daybook-${stage.name}-…`,
  look: async ({ stage, clients }: CheckedStage) => {
    const all: MetricAlarm[] = [];
    const pages = paginateDescribeAlarms(
      { client: clients.cloudWatch() },
      { AlarmNamePrefix: `daybook-${stage.name}-` },
    );
    for await (const { MetricAlarms = [] } of pages) all.push(...MetricAlarms);
    // A stage "prod" and a stage "prod-eu" have alarms with the same beginning. The topic is the stage's own.
    const own = all.filter(
      ({ AlarmActions = [] }) => AlarmActions.length === 0 || AlarmActions.includes(stage.topicArn),
    );
    return alarmFindings(own, stage.name);
  },
};

function alarmFindings(all: readonly MetricAlarm[], stage: string): Finding[] {
  const deploy = `npx cdk deploy Daybook-${stage}-Monitoring -c stage=${stage}`;
  if (all.length === 0) return [warning('the stage has none', deploy)];
  const ringing = all.filter(rings).map(ringingFinding);
  const silent = all.filter(({ ActionsEnabled }) => ActionsEnabled === false);
  const quiet =
    silent.length === 0
      ? []
      : [
          warning(
            `${silent.length} notify nobody: their actions are disabled`,
            `aws cloudwatch enable-alarm-actions --alarm-names ${silent.map(({ AlarmName }) => AlarmName).join(' ')}`,
          ),
        ];
  const findings = [...ringing, ...quiet];
  return findings.length > 0 ? findings : [fine(`none of ${all.length} rings`)];
}

/** An alarm of runs that did not happen rings when it has no data. Before the first run it has none either, but notifies nobody. */
function rings({ StateValue, InsufficientDataActions = [] }: MetricAlarm): boolean {
  return StateValue === 'ALARM' || (StateValue === 'INSUFFICIENT_DATA' && InsufficientDataActions.length > 0);
}

/** A description says what the alarm means, then names the runbook. */
function ringingFinding({ AlarmName = 'an alarm', AlarmDescription = '' }: MetricAlarm): Finding {
  const [meaning = '', runbook] = AlarmDescription.split(/\s*Runbook:\s*/);
  const found = meaning === '' ? `${AlarmName} rings` : `${AlarmName} rings: ${meaning}`;
  return wrong(found, runbook === undefined ? 'look it up in docs/runbook.md' : `read ${runbook}`);
}
