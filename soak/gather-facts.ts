import { addDays } from '#records/day/business-day.ts';
import type { Day } from '#records/day/business-day.ts';
import { daysOf } from '#records/period/period.ts';
import { GROUP } from './registry-book.ts';
import type { Stage } from './stage.ts';
import { dueStatements } from './truths/due-statements.ts';
import { dayName, evidenceOf } from './truths/evidence.ts';
import type { Evidence } from './truths/evidence.ts';
import type { Facts } from './truths/facts.ts';

/** The objects in the bucket and the mails. */
export async function gatherEvidence({ world }: Pick<Stage, 'world'>): Promise<Evidence> {
  return evidenceOf(await world.objects(), world.aws.mail.messages, world.aws.notices.messages);
}

/** Every merchant and day that was to be reported or was a lookback day. */
function everyDay({ book }: Stage, { days }: Evidence, last: Day): { merchantCode: string; day: Day }[] {
  const all = new Map<string, { merchantCode: string; day: Day }>();
  for (const { merchantCode, day } of [...days.values()].flat()) {
    all.set(dayName({ merchantCode, day }), { merchantCode, day });
  }
  for (const { account, reportFrom } of book.merchants) {
    for (let day = reportFrom; day <= last; day = addDays(day, 1)) {
      const { merchantCode } = account;
      all.set(dayName({ merchantCode, day }), { merchantCode, day });
    }
  }
  return [...all.values()];
}

/**
 * What the service, the registry and SES know.
 *
 * @param last the last day that was reported
 * @param sweptBefore {@link Facts}
 */
export function gatherFacts(stage: Stage, evidence: Evidence, last: Day, sweptBefore: number): Facts {
  const { world, book, feed, alerts } = stage;
  const stopped = new Set(feed.stops.map(({ hash }) => hash));
  const codes = book.merchants.map(({ account }) => account.merchantCode);
  const refunds = new Map(codes.map((code) => [code, world.allRefunds(code)]));
  return {
    days: everyDay(stage, evidence, last).map(({ merchantCode, day }) => ({
      merchantCode,
      day,
      truth: world.payments.data.truth(merchantCode, day),
      invoices: world.records('invoice', merchantCode, day),
      refunds: world.records('refund', merchantCode, day),
      allRefunds: refunds.get(merchantCode) ?? new Map(),
    })),
    readers: new Map(
      codes.map((code) => [
        code,
        {
          throughout: (from, to) => book.recipientsThroughout(code, from, to),
          ever: book.everRecipients(code),
          reportFrom: book.reportFrom(code),
          stopped,
        },
      ]),
    ),
    statements: dueStatements(book.merchants, last),
    group: {
      name: GROUP.name,
      codes: book.groupCodes(),
      recipients: GROUP.recipients,
      days: daysOf({ from: stage.firstDay, to: last }),
    },
    toldChecks: alerts.told,
    stops: feed.stops,
    sweptBefore,
  };
}
