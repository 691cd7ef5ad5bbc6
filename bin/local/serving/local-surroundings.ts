import { bareAddress } from '#registry/mail-address.ts';
import type { AwsSandbox } from '#sandbox/aws/index.ts';
import { LOCAL_STAGE, liveFunctionNameOf, liveStateMachineArn } from './stage-names.ts';
import type { LocalStage } from './stage-names.ts';

/** The group of the local stage's schedules. */
export const SCHEDULE_GROUP = `daybook-${LOCAL_STAGE}`;

function functionArn(name: 'delivery-watch' | 'sweep'): string {
  return `arn:aws:lambda:us-east-1:000000000000:function:${liveFunctionNameOf(name)}`;
}

/** The schedules of the local stage. They are shown and never fire. */
export const SCHEDULES = [
  { name: `daybook-${LOCAL_STAGE}-daily`, target: liveStateMachineArn('reports'), minutes: '0/15' },
  { name: `daybook-${LOCAL_STAGE}-alerts`, target: liveStateMachineArn('alerts'), minutes: '0/15' },
  { name: `daybook-${LOCAL_STAGE}-watch`, target: functionArn('delivery-watch'), minutes: '10/15' },
  { name: `daybook-${LOCAL_STAGE}-sweep`, target: functionArn('sweep'), minutes: '20' },
];

const EVENT_TYPES = [
  'SEND',
  'DELIVERY',
  'BOUNCE',
  'COMPLAINT',
  'REJECT',
  'DELIVERY_DELAY',
  'RENDERING_FAILURE',
];

/**
 * What a stage has around its functions, all in order: a verified domain and a configuration set, subscribers of the topic,
 * schedules, and an alarm that does not ring.
 */
export function presentSurroundings(aws: AwsSandbox, { environment }: LocalStage): void {
  const {
    MAIL_FROM = '',
    SES_CONFIGURATION_SET: set,
    OPS_TOPIC_ARN: topicArn,
    OPS_RECIPIENTS = '',
  } = environment;
  const from = bareAddress(MAIL_FROM);
  aws.mailSettings.identities.set(from.slice(from.lastIndexOf('@') + 1), {
    ...(set !== undefined && { configurationSet: set }),
  });
  if (set !== undefined) {
    const eventBusArn = 'arn:aws:events:us-east-1:000000000000:event-bus/default';
    aws.mailSettings.configurationSets.set(set, {
      eventDestinations: [{ name: 'events', enabled: true, eventTypes: EVENT_TYPES, eventBusArn }],
    });
  }
  if (topicArn !== undefined) {
    for (const endpoint of OPS_RECIPIENTS.split(',').filter((address) => address !== ''))
      aws.notices.subscriptions.push({ topicArn, protocol: 'email', endpoint, confirmed: true });
  }
  for (const { name, target, minutes } of SCHEDULES) {
    aws.schedules.set(name, {
      group: SCHEDULE_GROUP,
      state: 'ENABLED',
      expression: `cron(${minutes} * * * ? *)`,
      target,
    });
  }
  aws.alarms.set(`daybook-${LOCAL_STAGE}-watch-silent`, { state: 'OK' });
}
