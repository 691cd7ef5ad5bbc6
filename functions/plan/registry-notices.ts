import { createHash } from 'node:crypto';
import type { Rejection } from '#domain/registry/merchants.ts';
import type { OpsNotices } from '#mailing/ops/ops-notices.ts';

/** The most entries that one notice lists. */
const MOST_LISTED = 100;

/**
 * A name for a notice about this content. The same content gives the same name, so ops are notified of it
 * once, however many ticks find it.
 */
function aboutContent(what: string, content: string): string {
  return `${what} ${createHash('sha256').update(content).digest('hex')}`;
}

function listed(rejected: readonly Rejection[]): string {
  const lines = rejected.slice(0, MOST_LISTED).map(({ path, reason }) => `${path}: ${reason}`);
  if (rejected.length > MOST_LISTED) lines.push(`… and ${rejected.length - MOST_LISTED} more`);
  return lines.join('\n');
}

/**
 * Notifies ops of what is wrong with the registry, once for each state of it. All notices are sent at the
 * same time.
 */
export async function notifyOfRegistry(
  opsNotices: OpsNotices,
  alarm: string | null,
  rejectedEntries: readonly Rejection[],
  rejectedRules: readonly Rejection[],
  unknownMembers: readonly string[],
): Promise<void> {
  const notices: Promise<boolean>[] = [];
  const notifyOnce = (about: string, subject: string, text: string) => {
    notices.push(opsNotices.notifyOnce(about, subject, text));
  };
  if (alarm !== null) {
    notifyOnce(
      aboutContent('registry', alarm),
      'The registry cannot be used: the last good one is used',
      alarm,
    );
  }
  if (rejectedEntries.length > 0) {
    const count = rejectedEntries.length;
    notifyOnce(
      aboutContent('registry entries', JSON.stringify(rejectedEntries)),
      `${count} ${count === 1 ? 'entry' : 'entries'} of the registry cannot be used`,
      `These merchants are left out until their entries are corrected. The others run.\n\n${listed(rejectedEntries)}`,
    );
  }
  if (rejectedRules.length > 0) {
    const count = rejectedRules.length;
    notifyOnce(
      aboutContent('alert rules', JSON.stringify(rejectedRules)),
      `${count} alert ${count === 1 ? 'rule' : 'rules'} of the registry cannot be used`,
      `These rules are left out until they are corrected. Other rules and all reports run.\n\n${listed(rejectedRules)}`,
    );
  }
  if (unknownMembers.length > 0) {
    const listing = listed(unknownMembers.map((path) => ({ path, reason: 'is not known here' })));
    notifyOnce(
      aboutContent('registry members', JSON.stringify(unknownMembers)),
      'The registry has members that are not known here',
      `They have no effect. A name may be misspelt. A column to redact has an effect only if the service sends it.\n\n${listing}`,
    );
  }
  await Promise.all(notices);
}
