import { jsonAnswer } from '../json-answer.ts';
import { restJsonService } from '../rest-json.ts';
import { ServiceError } from '../service.ts';
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

const MOST_A_PAGE = 100;

/** EventBridge Scheduler: GetSchedule and ListSchedules. No schedule ever fires. */
export function schedulerService(schedules: ScheduleStore): Service {
  return restJsonService('scheduler', [
    {
      operation: 'GetSchedule',
      method: 'GET',
      path: /^\/schedules\/([^/]+)$/,
      perform: ({ path: [name = ''], query }) => {
        const schedule = schedules.get(name);
        if (schedule === undefined || groupOf(schedule) !== (query.get('groupName') ?? 'default'))
          throw new ServiceError(404, 'ResourceNotFoundException', `Schedule ${name} does not exist.`);
        return jsonAnswer({
          ...common(name, schedule),
          ScheduleExpression: schedule.expression,
          ScheduleExpressionTimezone: schedule.timeZone ?? 'UTC',
          FlexibleTimeWindow: { Mode: 'OFF' },
          Target: { Arn: schedule.target, RoleArn: 'arn:aws:iam::000000000000:role/scheduler' },
        });
      },
    },
    {
      operation: 'ListSchedules',
      method: 'GET',
      path: /^\/schedules$/,
      perform: ({ query }) => {
        const matches = (name: string, value: string) => (query.get(name) ?? value) === value;
        const chosen = [...schedules].filter(
          ([name, schedule]) =>
            matches('ScheduleGroup', groupOf(schedule)) &&
            matches('State', schedule.state) &&
            name.startsWith(query.get('NamePrefix') ?? ''),
        );
        const begin = Number(query.get('NextToken') ?? 0);
        const end = begin + Number(query.get('MaxResults') ?? MOST_A_PAGE);
        return jsonAnswer({
          Schedules: chosen.slice(begin, end).map(([name, schedule]) => ({
            ...common(name, schedule),
            Target: { Arn: schedule.target },
          })),
          ...(end < chosen.length && { NextToken: String(end) }),
        });
      },
    },
  ]);
}

function groupOf({ group = 'default' }: SandboxSchedule): string {
  return group;
}

function common(name: string, schedule: SandboxSchedule) {
  return {
    Name: name,
    GroupName: groupOf(schedule),
    Arn: `arn:aws:scheduler:us-east-1:000000000000:schedule/${groupOf(schedule)}/${name}`,
    State: schedule.state,
  };
}
