import type { AlertLine } from '#mail/ledger/alert-line.ts';

const STATES = ['firing', 'still firing', 'resolved'] as const;
const SEVERITIES = ['critical', 'warning', 'info'] as const;

export function worstFirst(lines: readonly AlertLine[]): AlertLine[] {
  const place = ({ says, severity }: AlertLine) =>
    STATES.indexOf(says) * SEVERITIES.length + SEVERITIES.indexOf(severity);
  return [...lines].sort((one, other) => place(one) - place(other));
}
