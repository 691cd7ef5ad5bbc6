import type { SentMail } from '#sandbox/aws/index.ts';
import type { Random } from '#sandbox/payments/day/random.ts';
import { addressHash, suppressionKey } from '#records/storage/keys.ts';
import { shuffled, type Draws } from '../draws.ts';
import type { Counts } from '../tally.ts';
import type { World } from '../world.ts';
import type { Invoker } from './invoker.ts';
import type { Weather } from './weather.ts';

type Happening = 'Send' | 'Delivery' | 'DeliveryDelay' | 'soft bounce' | 'hard bounce' | 'complaint';

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
function drawCourse(random: Random, isCalm: boolean): readonly Happening[] {
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
function sesEvent(mail: SentMail, happening: Happening, after: number): unknown {
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

interface Told {
  mail: SentMail;
  happening: Happening;
  /** Milliseconds after the mail. */
  after: number;
}

/** When mail to an address was stopped, and when a person lifted that; milliseconds UTC. */
export interface StopSpell {
  hash: string;
  from: number;
  until: number | null;
}

/** Names the mail in words that are the same in every run. */
function nameOf({ tags, destinations }: SentMail): string {
  const { kind = '', merchant, group = '', day, period = '', revision = '', check = '' } = tags;
  const about = [merchant ?? group, day ?? period];
  return [kind, ...about, revision, check.slice(0, 16), destinations.join()].join(' ');
}

/** Brings SES's events about the mails to `mail-events`: late, twice and in any order. */
export function createMailFeed(
  world: World,
  draws: Draws,
  counts: Counts,
  invoker: Invoker,
  weather: Weather,
) {
  let seen = 0;
  let late: Told[] = [];
  const deadLetters: Told[] = [];
  /** Messages whose bounce or complaint was delivered. A second event of the same kind changes nothing. */
  const known = new Set<string>();
  const stops: StopSpell[] = [];

  function courseOf(mail: SentMail): Told[] {
    const random = draws.next('course', nameOf(mail));
    return drawCourse(random, weather.isCalm).map((happening, place) => ({
      mail,
      happening,
      after: 500 + place * 2_000 + random.below(1_000),
    }));
  }

  async function bringOne(told: Told): Promise<void> {
    const { mail, happening, after } = told;
    counts.mailEvents.add(happening);
    const event = sesEvent(mail, happening, after);
    const done = await invoker.unattended('mail-events', event, `${nameOf(mail)} ${happening}`);
    if (done === undefined) deadLetters.push(told);
    else if (happening === 'hard bounce' || happening === 'complaint') stopped(mail);
  }

  function stopped({ messageId, destinations: [address = ''] }: SentMail): void {
    if (known.has(messageId)) return;
    known.add(messageId);
    const hash = addressHash(address);
    if (stops.some((spell) => spell.hash === hash && spell.until === null)) return;
    stops.push({ hash, from: world.clock.now(), until: null });
  }

  return {
    stops,
    /** Brings the events that are due. @param everything also bring later events, and dead letters again */
    bring: async (everything = false): Promise<void> => {
      const { messages } = world.aws.mail;
      const mails = messages.slice(seen).filter(({ tags }) => tags['kind'] !== 'ops');
      seen = messages.length;
      const fresh = mails.flatMap(courseOf);
      const random = draws.next('order of events');
      const waiting = fresh.filter(() => !everything && random.chance(10));
      const due = [...late, ...fresh.filter((told) => !waiting.includes(told))];
      late = waiting;
      if (everything) due.push(...deadLetters.splice(0));
      await Promise.all(shuffled(random, due).map(bringOne));
    },
    /** A person corrects the addresses whose mail has been stopped for this long (milliseconds). */
    lift: async (after: number): Promise<void> => {
      const now = world.clock.now();
      for (const spell of stops) {
        if (spell.until !== null || now - spell.from < after) continue;
        await world.removeObject(suppressionKey(spell.hash));
        spell.until = now;
        counts.other.add('stops lifted');
      }
    },
  };
}
