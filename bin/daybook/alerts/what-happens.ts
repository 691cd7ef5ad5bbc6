import type { RuleFinding } from '#domain/alerts/rule-finding.ts';
import { utcMinute } from '../terminal/utc-minute.ts';

const UNITS: Readonly<Record<RuleFinding['unit'], string>> = {
  count: '',
  percent: ' %',
  amount: '',
  hours: ' h',
};

/** A value as a person reads it: a count without its decimals. */
export function valueText(value: string | null, unit: RuleFinding['unit']): string {
  if (value === null) return 'unknown';
  const text = unit === 'amount' ? value : value.replace(/\.?0+$/, '');
  return `${text}${UNITS[unit]}`;
}

/** The state of a rule after the check, in a few words. */
export function stateText({ to, checks, forChecks, firingSince, noDataSince, silence }: RuleFinding): string {
  if (silence === 'waits') return 'waits';
  if (noDataSince !== null) return `no data since ${utcMinute(noDataSince)}`;
  if (to === 'pending') return `pending, ${checks} of ${forChecks} checks`;
  return to === 'firing' ? `firing since ${utcMinute(firingSince)}` : 'ok';
}

/** What the next check would do about a rule, and why. */
export function whatHappens(finding: RuleFinding): string {
  const { says, silence, forChecks, checks, mutedUntil, notBefore, announcedAt, repeatsAt } = finding;
  if (says.length > 0) return `mail: ${says.join(', then ')}`;
  switch (silence) {
    case 'in bounds':
      return 'no mail: it is in bounds';
    case 'pending':
      return `no mail yet: ${forChecks - checks} more ${forChecks - checks === 1 ? 'check' : 'checks'} out of bounds`;
    case 'muted':
      return `no mail: muted until ${utcMinute(mutedUntil)}`;
    case 'no data':
      return 'no mail: the value is unknown; the log of alert-check says why';
    case 'waits':
      return notBefore === null
        ? 'no mail: it waits until the day is sealed'
        : `no mail: it waits until ${notBefore}, or until the day is sealed`;
    case 'known':
    case null: {
      const again = repeatsAt === null ? 'it is not repeated' : `again at ${utcMinute(repeatsAt)}`;
      return `no mail: sent at ${utcMinute(announcedAt)}, ${again}`;
    }
  }
}
