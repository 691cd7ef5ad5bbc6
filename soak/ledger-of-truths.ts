import { addDays } from '../functions/shared/core/business-day.ts';
import type { Day } from '../functions/shared/core/business-day.ts';
import type { Stage } from './stage.ts';
import { alertMails } from './truths/alert-mails.ts';
import type { BrokenPromise } from './truths/broken-promise.ts';
import { dayName, evidenceOf } from './truths/evidence.ts';
import type { Evidence } from './truths/evidence.ts';
import { strangers } from './truths/known-objects.ts';
import { mailsAgree } from './truths/mails-agree.ts';
import { orphans } from './truths/orphans.ts';
import { reportMails } from './truths/report-mails.ts';
import type { Readers } from './truths/report-mails.ts';
import { sealedFiles } from './truths/sealed-files.ts';
import { serviceData } from './truths/service-data.ts';
import { stops } from './truths/stops.ts';

function readersOf({ book, feed }: Stage, merchantCode: string): Readers {
  return {
    throughout: (from, to) => book.recipientsThroughout(merchantCode, from, to),
    ever: book.everRecipients(merchantCode),
    reportFrom: book.reportFrom(merchantCode),
    stopped: new Set(feed.stops.map(({ hash }) => hash)),
  };
}

/** Every merchant and day: those that were to be reported, and those that were looked back at. */
function everyDay({ book }: Stage, { days }: Evidence, last: Day): { merchantCode: string; day: Day }[] {
  const all = new Map<string, { merchantCode: string; day: Day }>();
  for (const manifests of days.values())
    for (const manifest of manifests) all.set(dayName(manifest), manifest);
  for (const { account, reportFrom } of book.merchants) {
    for (let day = reportFrom; day <= last; day = addDays(day, 1)) {
      const { merchantCode } = account;
      all.set(dayName({ merchantCode, day }), { merchantCode, day });
    }
  }
  return [...all.values()];
}

/** What stands in the bucket and what was mailed. */
export async function gatherEvidence({ world }: Pick<Stage, 'world'>): Promise<Evidence> {
  return evidenceOf(await world.objects(), world.aws.mail.messages, world.aws.notices.messages);
}

/**
 * Holds everything that is left against what is true.
 *
 * @param last the last day that was reported
 * @param sweptBefore from when on files without a seal may be left, milliseconds UTC
 */
export function ledgerOfTruths(
  stage: Stage,
  evidence: Evidence,
  last: Day,
  sweptBefore: number,
): BrokenPromise[] {
  const { world, feed, alerts } = stage;
  const mails = Map.groupBy(
    evidence.mails.filter(({ tags }) => tags['revision'] !== undefined),
    ({ tags: { merchant = '', day = '' } }) => dayName({ merchantCode: merchant, day }),
  );
  const ofDays = everyDay(stage, evidence, last).flatMap(({ merchantCode, day }) => {
    const name = dayName({ merchantCode, day });
    const manifests = evidence.days.get(name) ?? [];
    const service = {
      merchantCode,
      day,
      truth: world.payments.data.truth(merchantCode, day),
      invoices: world.records('invoice', merchantCode, day),
      refunds: world.records('refund', merchantCode, day),
      refund: (id: number) => world.refund(merchantCode, id),
    };
    return [
      ...serviceData(evidence, manifests.at(-1), service),
      ...reportMails(evidence, manifests, mails.get(name) ?? [], readersOf(stage, merchantCode)),
    ];
  });
  return [
    ...strangers(evidence.objects),
    ...sealedFiles(evidence),
    ...ofDays,
    ...mailsAgree(evidence),
    ...alertMails(evidence, alerts.told, (merchantCode) => readersOf(stage, merchantCode)),
    ...stops(evidence, feed.stops),
    ...orphans(evidence, sweptBefore),
  ];
}
