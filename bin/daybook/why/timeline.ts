import type { LedgerEntry } from '#domain/ledger/ledger.ts';
import { hadNothingToSend } from '#domain/ledger/ledger-outcome.ts';
import { addressHash } from '#domain/storage/keys.ts';
import type { RevisionFacts, WhyFacts } from './facts.ts';

/** What happened at one moment. */
export interface Step {
  /** ISO 8601, UTC. */
  at: string;
  what: string;
}

const SAYS: Record<LedgerEntry['status'], string> = {
  intended: 'being sent',
  accepted: 'taken by the mail service',
  delivered: 'delivered',
  bounced: 'came back',
  complained: 'marked as unwanted',
  failed: 'not sent',
  skipped: 'skipped',
  held: 'held',
};

/** How a recipient is named: by the address where the registry has it, else by the start of its hash. */
export function recipientName({ entry }: Pick<WhyFacts, 'entry'>, hash: string): string {
  const recipients = entry.is === 'usable' ? entry.recipients : [];
  return recipients.find((address) => addressHash(address) === hash) ?? `address ${hash.slice(0, 12)}…`;
}

/** What happened to the mail of one revision. @param only the hash of the address that is asked for */
export function mailSteps(
  facts: Pick<WhyFacts, 'entry'>,
  { revision, ledger }: Pick<RevisionFacts, 'revision' | 'ledger'>,
  only?: string,
): Step[] {
  if (ledger === undefined) return [];
  const { kind } = ledger;
  const { intendedAt, recipients, round } = ledger;
  const begun: Step = hadNothingToSend(ledger)
    ? {
        at: intendedAt,
        what: `revision ${revision}: no mail (${ledger.nothingToSend ?? ledger.reason ?? 'no reason is known'})`,
      }
    : { at: intendedAt, what: `revision ${revision}: mail begun (${kind})` };
  const written = recipients
    .filter(({ to }) => only === undefined || to === only)
    .map(({ at, to, status, reason, round: of }): Step => {
      const again = of > 1 ? ` again (round ${of} of ${round})` : '';
      const why = reason === null ? '' : `: ${reason}`;
      return {
        at,
        what: `revision ${revision}: mail to ${recipientName(facts, to)}${again}: ${SAYS[status]}${why}`,
      };
    });
  return [begun, ...written];
}

function sealSteps({ revisions }: WhyFacts): Step[] {
  return revisions.map(({ revision, pulledAt, balanced, soFarUntil, invoices }) => {
    const what = revision === 1 ? 'pulled and sealed' : 'changed at the service, pulled and sealed again';
    const rows = invoices === null ? '' : `, ${invoices.toLocaleString('en')} invoices`;
    const part = soFarUntil === null ? '' : ', the day was not over';
    return {
      at: pulledAt,
      what: `${what} as revision ${revision} (${balanced ? 'balanced' : 'not balanced'}${rows}${part})`,
    };
  });
}

function checkSteps({ check }: WhyFacts): Step[] {
  if (check === undefined || check.outcome === 'sealed') return [];
  const what =
    check.outcome === 'failed'
      ? `last pull failed: ${check.error ?? 'UnknownError'}`
      : `last pull: unchanged since revision ${check.revision ?? '?'}`;
  return [{ at: check.checkedAt, what }];
}

/** What happened to a merchant's day, oldest first. @param only the hash of the address that is asked for */
export function timeline(facts: WhyFacts, only?: string): Step[] {
  const { plan, now, deadlineAt, dueAt, delivery, wasNotified, stops } = facts;
  const at = (moment: number) => new Date(moment).toISOString();
  const stopSteps = [...stops]
    .filter(([to, stop]) => stop.at !== null && (only === undefined || to === only))
    .map(([to, stop]): Step => ({
      at: stop.at ?? at(now),
      what: `mail to ${recipientName(facts, to)} stopped: ${stop.reason}`,
    }));
  const watched: Step[] =
    now < deadlineAt
      ? []
      : [
          {
            at: at(deadlineAt),
            what: wasNotified
              ? 'deadline of the watch; it has notified the operators of this report'
              : `deadline of the watch${delivery.missing === null ? '' : '; it has not notified the operators of this report'}`,
          },
        ];
  const steps: Step[] = [
    { at: at(dueAt), what: now < dueAt ? 'the report will be due' : 'the report was due' },
    ...(plan.plannedAt === null
      ? []
      : [{ at: plan.plannedAt, what: `planned${plan.isOpen ? '; the round has not ended' : ''}` }]),
    ...checkSteps(facts),
    ...sealSteps(facts),
    ...facts.revisions.flatMap((revision) => mailSteps(facts, revision, only)),
    ...stopSteps,
    ...watched,
  ];
  // Steps of the same moment keep this order.
  return steps.sort((one, other) => Date.parse(one.at) - Date.parse(other.at));
}
