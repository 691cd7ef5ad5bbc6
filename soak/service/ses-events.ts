import type { SentMail } from '#sandbox/aws/index.ts';
import type { Random } from '#sandbox/payments/day/random.ts';

/** What SES can report about a mail. */
export type Happening = 'Send' | 'Delivery' | 'DeliveryDelay' | 'soft bounce' | 'hard bounce' | 'complaint';

/** The event sequences of mails, with their numbers in a thousand. */
const COURSES: readonly (readonly [number, readonly Happening[]])[] = [
  [400, ['Send', 'Delivery']],
  [240, ['Delivery']],
  [60, ['Send', 'DeliveryDelay', 'Delivery']],
  [60, ['Delivery', 'Delivery']],
  // SES sends events on a best-effort basis.
  [200, []],
  [25, ['Send', 'soft bounce']],
  [8, ['Send', 'hard bounce']],
  [7, ['Send', 'Delivery', 'complaint']],
];

/** The events of a mail, some of them twice. @param isCalm no more bounces and complaints */
export function drawCourse(random: Random, isCalm: boolean): readonly Happening[] {
  if (isCalm) return ['Delivery'];
  let place = random.below(1_000);
  for (const [share, course] of COURSES) {
    if (place < share) return random.chance(15) ? [...course, ...course.slice(-1)] : course;
    place -= share;
  }
  return [];
}

function wordsOf(happening: Happening, timestamp: string): { eventType: string; [member: string]: unknown } {
  switch (happening) {
    case 'Send':
      return { eventType: 'Send', send: {} };
    case 'Delivery':
      return { eventType: 'Delivery', delivery: { timestamp } };
    case 'DeliveryDelay':
      return { eventType: 'DeliveryDelay', deliveryDelay: { timestamp } };
    case 'soft bounce':
      return {
        eventType: 'Bounce',
        bounce: { bounceType: 'Transient', bounceSubType: 'MailboxFull', timestamp },
      };
    case 'hard bounce':
      return {
        eventType: 'Bounce',
        bounce: { bounceType: 'Permanent', bounceSubType: 'NoEmail', timestamp },
      };
    case 'complaint':
      return { eventType: 'Complaint', complaint: { complaintFeedbackType: 'abuse', timestamp } };
  }
}

/** The event as EventBridge passes it on. @param after how long after the mail it happened, milliseconds */
export function sesEvent(mail: SentMail, happening: Happening, after: number): unknown {
  const timestamp = new Date(mail.at.getTime() + after).toISOString();
  const tags = Object.entries(mail.tags).map(([name, value]): [string, string[]] => [name, [value]]);
  return {
    version: '0',
    'detail-type': happening,
    source: 'aws.ses',
    time: `${timestamp.slice(0, 19)}Z`,
    detail: {
      ...wordsOf(happening, timestamp),
      mail: {
        timestamp: mail.at.toISOString(),
        source: mail.source,
        messageId: mail.messageId,
        destination: mail.destinations,
        tags: { 'ses:configuration-set': ['daybook'], ...Object.fromEntries(tags) },
      },
    },
  };
}
