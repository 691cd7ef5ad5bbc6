import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import * as z from 'zod';

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
