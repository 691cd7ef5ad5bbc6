import { alertMails } from './alert-mails.ts';
import type { BrokenPromise } from './broken-promise.ts';
import { dayName } from './evidence.ts';
import type { Evidence } from './evidence.ts';
import type { Facts } from './facts.ts';
import { strangers } from './known-objects.ts';
import { groupMails } from './group-mails.ts';
import { mailsAgree } from './mails-agree.ts';
import { notedChanges } from './noted-changes.ts';
import { orphans } from './orphans.ts';
import { reportMails } from './report-mails.ts';
import { sealedFiles } from './sealed-files.ts';
import { serviceData } from './service-data.ts';
import { statementMails } from './statement-mails.ts';
import { statementSums } from './statement-sums.ts';
import { stops } from './stops.ts';

/** Compares everything that a run has written with the facts. */
export function ledgerOfTruths(evidence: Evidence, facts: Facts): BrokenPromise[] {
  const mails = Map.groupBy(
    evidence.mails.filter(({ tags }) => tags['revision'] !== undefined),
    ({ tags: { merchant = '', day = '' } }) => dayName({ merchantCode: merchant, day }),
  );
  const ofDays = facts.days.flatMap((service) => {
    const name = dayName(service);
    const manifests = evidence.days.get(name) ?? [];
    const readers = facts.readers.get(service.merchantCode);
    return [
      ...serviceData(evidence, manifests.at(-1), service),
      ...(readers === undefined ? [] : reportMails(evidence, manifests, mails.get(name) ?? [], readers)),
    ];
  });
  return [
    ...strangers(evidence.objects),
    ...sealedFiles(evidence),
    ...ofDays,
    ...statementSums(evidence, facts.group.codes),
    ...statementMails(evidence, facts),
    ...groupMails(evidence, facts.group, new Set(facts.stops.map(({ hash }) => hash))),
    ...mailsAgree(evidence),
    ...alertMails(evidence, facts.toldChecks, facts.readers),
    ...stops(evidence, facts.stops),
    ...notedChanges(evidence),
    ...orphans(evidence, facts.sweptBefore),
  ];
}
