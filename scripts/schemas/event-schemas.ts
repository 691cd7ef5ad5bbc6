import { readFileSync } from 'node:fs';
import * as z from 'zod';
import { detailSchema } from '#watch/announce/event-schemas.ts';
import type { EventType } from '#watch/announce/event-schemas.ts';
import { DRAFT } from './json-schema.ts';
import type { JsonSchema } from './json-schema.ts';

/** What each type of event means. */
const MEANINGS: Readonly<Record<EventType, string>> = {
  ReportSealed: "A revision of a merchant's day is sealed.",
  ReportMailed: 'Everybody whom the report or correction of this revision was to reach has it.',
  DayUnbalanced: 'A revision is sealed whose figures do not agree with the service.',
  StatementSealed: "A revision of a merchant's week or month is sealed.",
  GroupPageSealed: "A revision of a group's day, week or month is sealed.",
  AlertFiring: 'A rule of a merchant begins to fire.',
  AlertResolved: 'A rule of a merchant fires no longer.',
  MailStopped: 'An address gets no more mail: all mails, or the kind in the key of the owner that is named.',
  ReportMissing: "A report, a statement or a group's page is not there after its deadline.",
};

/** What the committed schema of a type shows: a person writes it there, and it stays when the schema is written anew. */
function examplesOf(type: EventType): unknown[] {
  const file = new URL(`../../docs/schema/events/${type}.schema.json`, import.meta.url);
  return z.object({ examples: z.array(z.unknown()) }).parse(JSON.parse(readFileSync(file, 'utf8'))).examples;
}

/** The schema of the member `detail`, with an example. Later versions add members, so others are allowed. */
export function eventJsonSchema(type: EventType): JsonSchema {
  const schema = z.toJSONSchema(detailSchema(type), {
    target: 'draft-7',
    unrepresentable: 'any',
    override: ({ jsonSchema }) => {
      if (jsonSchema.additionalProperties === false) delete jsonSchema.additionalProperties;
      // A format says it all.
      if (jsonSchema.format !== undefined) delete jsonSchema.pattern;
    },
  });
  const examples = examplesOf(type);
  return { ...schema, $schema: DRAFT, title: type, description: MEANINGS[type], examples };
}
