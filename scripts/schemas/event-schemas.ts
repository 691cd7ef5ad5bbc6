import { readFileSync } from 'node:fs';
import * as z from 'zod';
import { detailSchema, type EventType } from '#watch/announce/event-schemas.ts';
import type { JsonSchema } from './json-schema.ts';

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

/** Its examples are what a person wrote into the committed file: they stay when the schema is written anew. */
const shownSchema = z.object({ examples: z.array(z.unknown()) });

/** The schema of the member `detail`, with an example. Later versions add members, so others are allowed. */
export function eventJsonSchema(type: EventType): JsonSchema {
  const file = new URL(`../../docs/schema/events/${type}.schema.json`, import.meta.url);
  const { examples } = shownSchema.parse(JSON.parse(readFileSync(file, 'utf8')));
  const described = detailSchema(type).meta({ title: type, description: MEANINGS[type], examples });
  return z.toJSONSchema(described, {
    target: 'draft-7',
    unrepresentable: 'any',
    override: ({ jsonSchema }) => {
      if (jsonSchema.additionalProperties === false) delete jsonSchema.additionalProperties;
      // A format says it all.
      if (jsonSchema.format !== undefined) delete jsonSchema.pattern;
    },
  });
}
