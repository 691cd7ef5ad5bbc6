import * as z from 'zod';
import { groupPageSchema } from '#page/figures/group-page.ts';
import { statementSchema } from '#page/figures/statement.ts';
import { daySchema } from '#records/day/business-day.ts';
import { differenceSchema } from '#records/figures/figure-schemas.ts';
import { dayReceivedSchema, receivedSchema } from '#records/figures/invoice-outcomes.ts';
import { alertLineSchema } from '#records/ledger/alert-line.ts';
import { ledgerSchema } from '#records/ledger/ledger.ts';
import { periodSchema } from '#records/period/period.ts';
import { manifestSchema } from '#records/revision/manifest.ts';

/*
 * What other systems are told (docs/events.md). A member has the name, type and value that it has in the stored object. They
 * are named one by one, so that a new member of an object is not told by itself: only figures and keys are, no text of a
 * merchant, a customer or the service.
 */

const OF_PAGE = { revision: true, previous: true, digest: true } as const;
const OF_PERIOD = { ...OF_PAGE, period: true, from: true, to: true, sealedAt: true, final: true } as const;
const FIGURES = { currency: true, counts: true, amounts: true, refunds: true } as const;
const CAME_IN = { count: true, sum: true, ofEarlier: true, basis: true } as const;

/** A sealed day. Pages of earlier versions lack the members that may be left out. */
const daySealedSchema = manifestSchema
  .unwrap()
  .pick({ ...OF_PAGE, ...FIGURES, merchantCode: true, day: true, pulledAt: true, soFarUntil: true })
  .extend(manifestSchema.unwrap().pick({ balanced: true, open: true }).shape)
  .extend({ received: dayReceivedSchema.unwrap().pick(CAME_IN).nullable().default(null) });

const difference = differenceSchema.unwrap().pick({ name: true, service: true, rows: true });

const { rule, severity, measure, unit, value, bound, since, until, currency } =
  alertLineSchema.unwrap().shape;
/** A rule that begins or ends to fire. */
const ruleMovedSchema = z
  .object({ merchantCode: z.string(), day: daySchema, check: z.string() })
  .extend({ rule, severity, measure, unit, value, bound, since, until, currency });

/** A merchant or a group; of a stop, neither where it is of every mail to the address. */
const OWNER = z.object({ merchantCode: z.string().optional(), group: z.string().optional() });

/** What each type of event says, beside what all of them do. */
export const SAYS = {
  ReportSealed: daySealedSchema,
  ReportMailed: daySealedSchema.partial().extend({ kind: ledgerSchema.unwrap().shape.kind }),
  DayUnbalanced: daySealedSchema.extend({ differences: z.array(difference) }),
  StatementSealed: statementSchema
    .unwrap()
    .pick({ ...OF_PERIOD, ...FIGURES, merchantCode: true, missing: true, unbalanced: true, net: true })
    .extend({ received: receivedSchema.unwrap().pick(CAME_IN).nullable().default(null) }),
  GroupPageSealed: groupPageSchema.unwrap().pick({ ...OF_PERIOD, group: true, byCurrency: true }),
  AlertFiring: ruleMovedSchema,
  AlertResolved: ruleMovedSchema,
  MailStopped: OWNER.extend({ at: z.iso.datetime().optional() }),
  ReportMissing: OWNER.extend({ day: daySchema.optional(), period: periodSchema.optional() }),
};
export type EventType = keyof typeof SAYS;

export const EVENT_TYPES = z.keyof(z.object(SAYS)).options;

/** The member `detail` of an event. `key` is that of the object that says it, `id` the same whenever it is told. */
export function detailSchema(type: EventType) {
  const ofAll = z.object({ version: z.literal(1), id: z.string(), stage: z.string(), key: z.string() });
  return ofAll.extend(SAYS[type].shape);
}
