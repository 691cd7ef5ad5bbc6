import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import * as z from 'zod';
import { buildDependencies, createMailEvents } from '#mail/mail-events/create-mail-events.ts';
import type { Handler } from '#runtime/lambda-handler.ts';
import { suppressionKey } from '#records/storage/keys.ts';
import { membersOf } from '#support/assertions/index.ts';
import { BUCKET, type DaybookWorld, partsOf } from '../world/daybook-world.ts';

const FIXTURES = join(import.meta.dirname, '../../fixtures/ses-events');

/** The sample events under test/fixtures/ses-events. */
export type Sample =
  | 'sent'
  | 'delivered'
  | 'delayed'
  | 'bounced-permanent'
  | 'bounced-transient'
  | 'complained'
  | 'rejected'
  | 'rendering-failed'
  | 'opened';

const membersSchema = z.record(z.string(), z.unknown());
const rawEventSchema = z.looseObject({
  source: z.string(),
  time: z.string(),
  detail: z.looseObject({
    eventType: z.string(),
    mail: z.looseObject({
      messageId: z.string(),
      source: z.string(),
      destination: z.array(z.string()),
      tags: z.record(z.string(), z.array(z.string())),
    }),
    bounce: membersSchema.optional(),
    complaint: membersSchema.optional(),
  }),
});

export type RawEvent = z.infer<typeof rawEventSchema>;

/** The mail that an event is of, as the sandbox keeps it. */
export interface EventMail {
  /** The sender; left out, that of the sample. */
  from?: string;
  messageId: string;
  destinations: string[];
  tags: Record<string, string>;
}

/** A sample event, of that mail instead of its own. */
export async function sesEvent(sample: Sample, sent?: EventMail): Promise<RawEvent> {
  const text = await readFile(join(FIXTURES, `${sample}.json`), 'utf8');
  if (sent === undefined) return rawEventSchema.parse(JSON.parse(text));
  const [address = ''] = sent.destinations;
  const event = rawEventSchema.parse(JSON.parse(text.replaceAll('owner-700001@merchants.example', address)));
  const { mail } = event.detail;
  mail.messageId = sent.messageId;
  if (sent.from !== undefined) mail.source = sent.from;
  const own = Object.entries(mail.tags).filter(([name]) => name.startsWith('ses:'));
  const given = Object.entries(sent.tags).map(([name, value]): [string, string[]] => [name, [value]]);
  mail.tags = Object.fromEntries([...own, ...given]);
  return event;
}

export function mailEventsOf(world: DaybookWorld): Handler<void> {
  return createMailEvents(partsOf(buildDependencies, world.clock));
}

/** Tells `mail-events` what happened to the last mail that went to an address. */
export async function happensTo(world: DaybookWorld, address: string, sample: Sample): Promise<void> {
  const mail = world.mails().findLast(({ destinations }) => destinations.includes(address));
  await mailEventsOf(world)(await sesEvent(sample, mail));
}

/** The stop of an address; `undefined` when mail still goes to it. */
export async function stopOf(
  world: DaybookWorld,
  hash: string,
): Promise<Record<string, unknown> | undefined> {
  const body = await world.aws.s3.read(BUCKET, suppressionKey(hash));
  return body === undefined ? undefined : membersOf(JSON.parse(body.toString()));
}
