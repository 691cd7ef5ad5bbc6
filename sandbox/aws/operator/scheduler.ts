import { jsonAnswer, ServiceError } from '../service.ts';
import { restJsonService } from '../json-target.ts';
import type { Service } from '../service.ts';

/** A schedule of EventBridge Scheduler. */
export interface SandboxSchedule {
  /** Default: `default`. */
  group?: string;
  state: 'ENABLED' | 'DISABLED';
  /** Such as `cron(0/15 * * * ? *)`. */
  expression: string;
  timeZone?: string;
  /** The ARN of what it calls. */
  target: string;
}

/** The schedules by their names, which are unique over all groups here. */
export type ScheduleStore = Map<string, SandboxSchedule>;

/** EventBridge Scheduler, but only GetSchedule. No schedule ever fires. */
export function schedulerService(schedules: ScheduleStore): Service {
  return restJsonService('scheduler', [
    {
      operation: 'GetSchedule',
      method: 'GET',
      path: /^\/schedules\/([^/]+)$/,
      perform: ({ path: [name = ''], query }) => {
        const schedule = schedules.get(name);
        const group = schedule?.group ?? 'default';
        if (schedule === undefined || group !== (query.get('groupName') ?? 'default'))
          throw new ServiceError(404, 'ResourceNotFoundException', `Schedule ${name} does not exist.`);
        return jsonAnswer({
          Name: name,
          GroupName: group,
          Arn: `arn:aws:scheduler:us-east-1:000000000000:schedule/${group}/${name}`,
          State: schedule.state,
          ScheduleExpression: schedule.expression,
          ScheduleExpressionTimezone: schedule.timeZone ?? 'UTC',
          FlexibleTimeWindow: { Mode: 'OFF' },
          Target: { Arn: schedule.target, RoleArn: 'arn:aws:iam::000000000000:role/scheduler' },
        });
      },
    },
  ]);
}
