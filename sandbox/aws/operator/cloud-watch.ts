import * as z from 'zod';
import { epochSeconds } from '../service.ts';
import { jsonTargetService, validated } from '../json-target.ts';
import type { Service } from '../service.ts';

/** A metric alarm. */
export interface SandboxAlarm {
  state: 'OK' | 'ALARM' | 'INSUFFICIENT_DATA';
  reason?: string;
  description?: string;
  /** Since when it has this state. */
  since?: Date;
  /** The ARNs of what it notifies. Default: none. */
  actions?: readonly string[];
  /** Whether it does anything when its state changes. Default: it does. */
  actionsEnabled?: boolean;
  /** Who is notified when data stop: ARNs. */
  insufficientDataActions?: string[];
}

/** The alarms by their names. */
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
          MetricAlarms: chosen.slice(NextToken, end).map(([name, alarm]) => described(name, alarm)),
          CompositeAlarms: [],
          ...(end < chosen.length && { NextToken: String(end) }),
        };
      },
    },
  });
}

function described(name: string, alarm: SandboxAlarm) {
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
    AlarmArn: `arn:aws:cloudwatch:us-east-1:000000000000:alarm:${name}`,
    ActionsEnabled: actionsEnabled,
    InsufficientDataActions: insufficientDataActions,
    AlarmActions: actions,
    StateValue: state,
    ...(description !== undefined && { AlarmDescription: description }),
    ...(reason !== undefined && { StateReason: reason }),
    ...at,
  };
}
