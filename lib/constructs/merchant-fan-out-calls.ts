import * as sfn from 'aws-cdk-lib/aws-stepfunctions';
import { MOST_SHARED_DAYS, SHARED_BY } from '#plan/shared-child.ts';
import type { FanOutKind } from '../functions.ts';
import { BRIEF, HASTY, PATIENT } from './merchant-fan-out-retries.ts';
import type { RetryPlan } from './merchant-fan-out-retries.ts';
import { STATEMENT_BATCH } from './statement-batch.ts';

/** Merchants of a batch of alert checks. They are checked at the same time, because one after another would take too long. */
export const BATCH_SIZE = 5;

/** The calls of one child: the list to go through, the event of each call, and the part of the answer to keep. */
export interface Calls {
  workflow: sfn.StateMachineType;
  /** The state that goes through the calls. */
  each: string;
  callsPath: string;
  /** How many calls at the same time. */
  concurrency: number;
  /** The items, where each has calls of its own: they run side by side. */
  items?: { each: string; path: string; concurrency: number };
  /** The most calls of an item, where the child has little time. */
  mostCalls: number;
  /** What of an element of the list the call gets, under the names of the event. */
  event: Record<string, string>;
  /** The path of the event, if it is a member of that. */
  payloadPath?: string;
  answer: Record<string, string>;
  /** Names a call in the cause of a failure: an intrinsic function on the call's event. `plan` reads it. */
  call: string;
  retries: RetryPlan;
}

/** The work of a child: that of a fan-out, of small merchants who share one, or of some statements. */
export type ChildKind = FanOutKind | 'shared' | 'statement';

const DAYS = {
  each: 'Each day',
  callsPath: '$.days',
  // A merchant's days run one after another: one login at a time, and less load on the service.
  concurrency: 1,
  event: {
    'merchantCode.$': '$.merchantCode',
    'day.$': '$$.Map.Item.Value',
    'send.$': '$.send',
    'scheduledTime.$': '$.scheduledTime',
  },
  answer: {
    'day.$': '$.Payload.day',
    'revision.$': '$.Payload.revision',
    'mail.$': '$.Payload.mail.status',
  },
};

export const CALLS: Record<ChildKind, Calls> = {
  daily: {
    ...DAYS,
    workflow: sfn.StateMachineType.STANDARD,
    mostCalls: Infinity,
    call: '$.day',
    retries: PATIENT,
  },
  shared: {
    ...DAYS,
    workflow: sfn.StateMachineType.EXPRESS,
    items: { each: 'Each merchant of the child', path: '$.Items', concurrency: SHARED_BY },
    mostCalls: MOST_SHARED_DAYS,
    answer: { 'merchantCode.$': '$.Payload.merchantCode', ...DAYS.answer },
    call: "States.Format('{} {}', $.merchantCode, $.day)",
    retries: BRIEF,
  },
  alert: {
    workflow: sfn.StateMachineType.EXPRESS,
    each: 'Each merchant of the batch',
    callsPath: '$.Items',
    concurrency: BATCH_SIZE,
    mostCalls: 1,
    event: {
      'merchantCode.$': '$$.Map.Item.Value.merchantCode',
      'day.$': '$$.Map.Item.Value.days[0]',
      'scheduledTime.$': '$$.Map.Item.Value.scheduledTime',
    },
    answer: { 'merchantCode.$': '$.Payload.merchantCode', 'mailed.$': '$.Payload.mailed' },
    call: '$.merchantCode',
    retries: HASTY,
  },
  statement: {
    workflow: sfn.StateMachineType.EXPRESS,
    each: 'Each statement',
    callsPath: '$.Items',
    concurrency: STATEMENT_BATCH,
    mostCalls: 1,
    // Items of merchants and of groups have different members, so the event is passed on whole.
    event: { 'event.$': '$$.Map.Item.Value' },
    payloadPath: '$.event',
    answer: {
      'period.$': '$.Payload.period',
      'revision.$': '$.Payload.revision',
      'mail.$': '$.Payload.mail.status',
    },
    call: 'States.JsonToString($.event)',
    retries: HASTY,
  },
};

/** The workflow type of the children. */
export function workflowOf(kind: ChildKind): sfn.StateMachineType {
  return CALLS[kind].workflow;
}
