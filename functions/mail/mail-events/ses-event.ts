import * as z from 'zod';
import { bareAddress } from '#registry/mail-address.ts';
import { InvalidEventError, readEvent } from '#records/errors/invalid-event.ts';
import { addressHash } from '#records/storage/keys.ts';
import type { MailEvent } from '#records/ledger/ledger-events.ts';
import { readMailTags } from './mail-tags.ts';
import type { TaggedMail } from './mail-tags.ts';

/** Hashes, so that no address goes beyond this file. */
interface Envelope {
  sender: string;
  destinations: readonly string[];
  /** Of a bounce or complaint; `undefined` when SES does not name them. */
  affected: readonly string[] | undefined;
}

export interface SesEvent {
  type: string;
  mail: TaggedMail;
  event: MailEvent;
  envelope: Envelope;
}

interface OtherEvent {
  type: string;
  ignored: string;
}

const time = z.lazy(() => z.iso.datetime({ offset: true }).transform((text) => new Date(text).toISOString()));

/** From a list of SES. Other texts are dropped: events also hold addresses and texts of other servers. */
const word = z.lazy(() =>
  z
    .string()
    .regex(/^[A-Za-z][A-Za-z-]{0,39}$/)
    .nullish()
    .catch(null),
);

function joinedWords(...parts: (string | null | undefined)[]): string | null {
  const said = parts.filter((part) => part !== null && part !== undefined);
  return said.length === 0 ? null : said.join(': ');
}

const mail = z.lazy(() =>
  z.object({
    messageId: z.string().regex(/^[\w.-]{1,128}$/, 'must be a message id'),
    timestamp: time,
    /** As the sender gave them: perhaps with a name, in any case. */
    source: z.string().default(''),
    destination: z.array(z.string()).default([]),
    tags: z.record(z.string(), z.array(z.string())).default({}),
  }),
);
const affected = z.lazy(() => z.array(z.object({ emailAddress: z.string() })).optional());
const bounceSchema = z.lazy(() =>
  z.object({
    bounceType: z.enum(['Permanent', 'Transient', 'Undetermined']),
    bounceSubType: word,
    timestamp: time,
    bouncedRecipients: affected,
  }),
);
const complaintSchema = z.lazy(() =>
  z.object({
    timestamp: time,
    complaintFeedbackType: word,
    complaintSubType: word,
    complainedRecipients: affected,
  }),
);

const detailSchema = z.lazy(() =>
  z.discriminatedUnion('eventType', [
    z.object({ eventType: z.literal('Delivery'), mail, delivery: z.object({ timestamp: time }) }),
    z.object({ eventType: z.literal('Bounce'), mail, bounce: bounceSchema }),
    z.object({ eventType: z.literal('Complaint'), mail, complaint: complaintSchema }),
    z.object({ eventType: z.literal(['Send', 'DeliveryDelay', 'Reject', 'Rendering Failure']), mail }),
    z.object({ eventType: z.literal(['Open', 'Click', 'Subscription']), mail }),
  ]),
);

const eventSchema = z.lazy(() => z.object({ source: z.literal('aws.ses'), time, detail: detailSchema }));

/** `affected`: the addresses that a bounce or complaint names, if it names some. */
type Happening = Pick<MailEvent, 'is' | 'at' | 'detail'> & { affected?: z.infer<typeof affected> };

function happeningOf({ time: at, detail }: z.infer<typeof eventSchema>): Happening | undefined {
  switch (detail.eventType) {
    case 'Send':
      return { is: 'sent', at: detail.mail.timestamp, detail: null };
    case 'Delivery':
      return { is: 'delivered', at: detail.delivery.timestamp, detail: null };
    case 'DeliveryDelay':
      return { is: 'delayed', at, detail: null };
    case 'Bounce': {
      const { bounceType, bounceSubType, timestamp, bouncedRecipients } = detail.bounce;
      const is = bounceType === 'Permanent' ? 'hard bounce' : 'soft bounce';
      const words = joinedWords(bounceType, bounceSubType);
      return { is, at: timestamp, detail: words, affected: bouncedRecipients };
    }
    case 'Complaint': {
      const { complaintFeedbackType, complaintSubType, timestamp, complainedRecipients } = detail.complaint;
      // The reader moved the mail out of the spam folder: the opposite of a complaint.
      if (complaintFeedbackType === 'not-spam') return undefined;
      const words = joinedWords(complaintFeedbackType, complaintSubType);
      return { is: 'complaint', at: timestamp, detail: words, affected: complainedRecipients };
    }
    case 'Reject':
      return { is: 'rejected', at, detail: null };
    case 'Rendering Failure':
      return { is: 'rejected', at, detail: 'it could not be rendered' };
    case 'Open':
    case 'Click':
    case 'Subscription':
      return undefined;
  }
}

function hashOf(address: string): string {
  return addressHash(bareAddress(address));
}

/** Unreadable tags are an error for a mail of ours only. */
function tagsOf({ tags }: z.infer<typeof mail>, rawEvent: unknown, isOurs: boolean): TaggedMail | undefined {
  try {
    return readMailTags(tags, rawEvent);
  } catch (error) {
    if (error instanceof InvalidEventError && !isOurs) return undefined;
    throw error;
  }
}

/**
 * Reads an event as EventBridge delivers it (source `aws.ses`).
 * @param sender hash of Daybook's address
 * @throws {InvalidEventError} names the wrong member, never its value
 */
export function readSesEvent(rawEvent: unknown, sender: string): SesEvent | OtherEvent {
  const read = readEvent(eventSchema, rawEvent);
  const { eventType: type, mail } = read.detail;
  const happening = happeningOf(read);
  if (happening === undefined) return { type, ignored: 'does not say whether the mail arrived' };
  const { affected: named, ...happened } = happening;
  const envelope = {
    sender: hashOf(mail.source),
    destinations: mail.destination.map(hashOf),
    affected: named?.map(({ emailAddress }) => hashOf(emailAddress)),
  };
  const tagged = tagsOf(mail, rawEvent, envelope.sender === sender);
  if (tagged === undefined) return { type, ignored: 'is about a mail that Daybook did not send' };
  const event = { ...happened, messageId: mail.messageId, recipient: tagged.recipient };
  return { type, mail: tagged, event, envelope };
}
