import { queryService } from '../query-protocol.ts';
import { ServiceError, epochSeconds, jsonAnswer, type Service } from '../service.ts';
import type { XmlElements } from '../xml.ts';
import * as z from 'zod';
import { jsonTargetService, validated, restJsonService } from '../json-target.ts';

/* Services of which the operator's command needs one operation. */

export interface SandboxStack {
  outputs: Record<string, string>;
  /** Default: `CREATE_COMPLETE`. */
  status?: string;
}

export type StackStore = Map<string, SandboxStack>;

/** CloudFormation, but only DescribeStacks, with all stacks on one page. */
export function cloudFormationService(stacks: StackStore): Service {
  const nameOf = (parameters: URLSearchParams) => parameters.get('StackName') ?? undefined;
  return queryService({
    name: 'cloudFormation',
    namespace: 'http://cloudformation.amazonaws.com/doc/2010-05-15/',
    keyOf: nameOf,
    operations: {
      DescribeStacks: (parameters) => ({ Stacks: { member: describedStacks(stacks, nameOf(parameters)) } }),
    },
  });
}

function describedStacks(stacks: StackStore, name: string | undefined): XmlElements[] {
  if (name === undefined) return [...stacks].map(([each, stack]) => stackElement(each, stack));
  const stack = stacks.get(name);
  if (stack === undefined)
    throw new ServiceError(400, 'ValidationError', `Stack with id ${name} does not exist`);
  return [stackElement(name, stack)];
}

function stackElement(name: string, { outputs, status = 'CREATE_COMPLETE' }: SandboxStack): XmlElements {
  return {
    StackName: name,
    StackStatus: status,
    Outputs: {
      member: Object.entries(outputs).map(([OutputKey, OutputValue]) => ({ OutputKey, OutputValue })),
    },
  };
}

export interface SandboxAlarm {
  state: 'OK' | 'ALARM' | 'INSUFFICIENT_DATA';
  reason?: string;
  description?: string;
  since?: Date;
  /** The ARNs of what it notifies. Default: none. */
  actions?: readonly string[];
  /** Whether it does anything when its state changes. Default: it does. */
  actionsEnabled?: boolean;
  /** Who is notified when data stop: ARNs. */
  insufficientDataActions?: string[];
}

export type AlarmStore = Map<string, SandboxAlarm>;

/** Any other filter is refused: one that chose nothing would prove nothing. */
const describeAlarms = z.strictObject({
  AlarmNamePrefix: z.string().optional(),
  StateValue: z.string().optional(),
  MaxRecords: z.int().max(100).default(50),
  NextToken: z.coerce.number().default(0),
});

/** CloudWatch, but only DescribeAlarms of metric alarms. */
export function cloudWatchService(alarms: AlarmStore): Service {
  return jsonTargetService({
    name: 'cloudWatch',
    version: '1.0',
    target: 'GraniteServiceVersion20100801',
    operations: {
      DescribeAlarms: (request) => {
        const { AlarmNamePrefix, StateValue, MaxRecords, NextToken } = validated(describeAlarms, request);
        const chosen = [...alarms]
          .filter(([name, { state }]) => {
            if (AlarmNamePrefix !== undefined && !name.startsWith(AlarmNamePrefix)) return false;
            return StateValue === undefined || state === StateValue;
          })
          .sort(([one], [other]) => (one < other ? -1 : 1));
        const end = NextToken + MaxRecords;
        return {
          MetricAlarms: chosen.slice(NextToken, end).map(([name, alarm]) => describedAlarm(name, alarm)),
          ...(end < chosen.length && { NextToken: String(end) }),
        };
      },
    },
  });
}

function describedAlarm(name: string, alarm: SandboxAlarm) {
  const {
    state,
    reason,
    description,
    since,
    actions = [],
    actionsEnabled = true,
    insufficientDataActions = [],
  } = alarm;
  const at = since === undefined ? {} : { StateTransitionedTimestamp: epochSeconds(since) };
  return {
    AlarmName: name,
    ActionsEnabled: actionsEnabled,
    InsufficientDataActions: insufficientDataActions,
    AlarmActions: actions,
    StateValue: state,
    ...(description !== undefined && { AlarmDescription: description }),
    ...(reason !== undefined && { StateReason: reason }),
    ...at,
  };
}

export interface LakeSettings {
  /** Whether IAM alone decides who may use what is created from now on. A new account of AWS has both. */
  iamOnly: { databases: boolean; tables: boolean };
}

const EVERYBODY = [
  { Principal: { DataLakePrincipalIdentifier: 'IAM_ALLOWED_PRINCIPALS' }, Permissions: ['ALL'] },
];

/** Lake Formation, but only GetDataLakeSettings. */
export function lakeFormationService(settings: LakeSettings): Service {
  return restJsonService('lakeFormation', {
    GetDataLakeSettings: [
      'POST',
      '/GetDataLakeSettings',
      () =>
        jsonAnswer({
          DataLakeSettings: {
            CreateDatabaseDefaultPermissions: settings.iamOnly.databases ? EVERYBODY : [],
            CreateTableDefaultPermissions: settings.iamOnly.tables ? EVERYBODY : [],
          },
        }),
    ],
  });
}

/** What is in an account beside the stages of Daybook. */
export interface AccountState {
  workGroups: Set<string>;
  /** How many queries Athena runs at the same time. `null`: it does not say. */
  athenaQueries: number | null;
}

/** Athena, but only GetWorkGroup. */
export function athenaAccountService({ workGroups }: AccountState): Service {
  return jsonTargetService({
    name: 'athena',
    version: '1.1',
    target: 'AmazonAthena',
    operations: {
      GetWorkGroup: (input) => {
        const { WorkGroup } = validated(z.strictObject({ WorkGroup: z.string() }), input);
        if (workGroups.has(WorkGroup)) return { WorkGroup: { Name: WorkGroup, State: 'ENABLED' } };
        throw new ServiceError(400, 'InvalidRequestException', `WorkGroup ${WorkGroup} is not found.`);
      },
    },
  });
}

/** Service Quotas, but only ListServiceQuotas, and of Athena alone. */
export function serviceQuotasService(account: AccountState): Service {
  return jsonTargetService({
    name: 'serviceQuotas',
    version: '1.1',
    target: 'ServiceQuotasV20190624',
    operations: {
      ListServiceQuotas: (input) => {
        const { ServiceCode } = validated(z.strictObject({ ServiceCode: z.literal('athena') }), input);
        const { athenaQueries: Value } = account;
        const QuotaCode = 'L-FC5F6546';
        return {
          Quotas: Value === null ? [] : [{ ServiceCode, QuotaName: 'Active DML queries', QuotaCode, Value }],
        };
      },
    },
  });
}

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
  return restJsonService('scheduler', {
    GetSchedule: [
      'GET',
      '/schedules/{}',
      ({ path: [name = ''], query }) => {
        const schedule = schedules.get(name);
        const group = schedule?.group ?? 'default';
        if (schedule === undefined || group !== (query.get('groupName') ?? 'default'))
          throw new ServiceError(404, 'ResourceNotFoundException', `Schedule ${name} does not exist.`);
        return jsonAnswer({
          Name: name,
          GroupName: group,
          State: schedule.state,
          ScheduleExpression: schedule.expression,
          ScheduleExpressionTimezone: schedule.timeZone ?? 'UTC',
          Target: { Arn: schedule.target },
        });
      },
    ],
  });
}
