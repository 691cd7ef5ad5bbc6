import { GetScheduleCommand, ResourceNotFoundException } from '@aws-sdk/client-scheduler';
import type { Stage } from '../../stage/stage.ts';
import { fine, wrong } from '../finding.ts';
import type { Check } from '../check.ts';
import type { Finding } from '../finding.ts';
import type { CheckedStage } from '../checked-stage.ts';

/** The schedules: are they there, and enabled? */
export const schedules: Check = {
  name: 'Schedules',
  looksAt: ({ stage }) => `the group ${stage.schedules.group}`,
  look: async (checked: CheckedStage) => {
    const { names } = checked.stage.schedules;
    const findings = await Promise.all(names.map((name) => scheduleFinding(checked, name)));
    const bad = findings.filter((finding) => finding !== undefined);
    if (bad.length > 0) return bad;
    if (names.length > 0) return [fine(`all ${names.length} are enabled`)];
    return [wrong('the stage has none: nothing runs by itself', deploy(checked.stage))];
  },
};

function deploy({ name, lines }: Stage): string {
  return lines.cdk('deploy', `Daybook-${name}-Schedules`);
}

async function scheduleFinding({ stage, clients }: CheckedStage, name: string): Promise<Finding | undefined> {
  try {
    const schedule = await clients
      .scheduler()
      .send(new GetScheduleCommand({ GroupName: stage.schedules.group, Name: name }));
    if (schedule.State === 'ENABLED') return undefined;
    const what = schedule.Description === undefined ? name : `${name} (${schedule.Description})`;
    return wrong(
      `${what} is disabled`,
      `enable it in the console of EventBridge Scheduler, group ${stage.schedules.group}. If nobody changed it by hand: ${deploy(stage)}`,
    );
  } catch (error) {
    if (!(error instanceof ResourceNotFoundException)) throw error;
    return wrong(`${name} does not exist`, deploy(stage));
  }
}
