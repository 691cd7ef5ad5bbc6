import type { Ledger } from '#domain/ledger/ledger.ts';
import type { Period } from '#domain/period/period.ts';
import type { PageOwner } from '#domain/storage/keys.ts';
import { mailOutcome, reasonOfMail } from '../mail-outcome.ts';
import type { MailOutcome } from '../mail-outcome.ts';
import type { Badness } from '../notified-problems.ts';
import type { ExpectedStatement } from './expected-statements.ts';

/** What is stored of a statement or a group's page. */
export interface StatementRecords {
  /** The newest sealed revision, `undefined` when nothing is sealed. */
  revision: number | undefined;
  /** Whether any day of it, or any page of a group's merchants, is sealed. */
  hasDays: boolean;
  /** Whether the newest revision is final. `undefined` when that is not known. */
  final: boolean | undefined;
  /** The ledger of the newest revision that was to be mailed. `undefined` when a ledger is missing. */
  ledger: Ledger | undefined;
}

/** What became of a statement or a group's page. */
export interface StatementDelivery {
  owner: PageOwner;
  period: Period;
  revision: number | undefined;
  /** The likely reason, `null` for one that arrived. */
  missing: string | null;
  /** Whether the newest revision is provisional. */
  provisional: boolean;
  /** What became of the mail. `null` when nothing is sealed, or it cannot be read. */
  mail: MailOutcome | null;
  /**
   * Whether it is in the answer and in the metrics. A day after its deadline only what a run can still bring is: a person
   * has to act on everything else, and was notified of it.
   */
  counts: boolean;
}

/** No day of it is sealed, or no page of a group's merchants, so nothing can be added up. Ops are notified of it once. */
export const NOTHING_SEALED = 'nothing sealed';
/** Days are sealed, and no statement is. */
export const NOT_SEALED = 'not sealed';
/** What is stored cannot be read. */
const NOT_READABLE = 'records not readable';

/** The reasons that a later run can remove. */
const REPAIRABLE = [NOT_SEALED, 'mail not sent', NOT_READABLE];

/** Why ops are notified of a statement that arrived. */
export const PROVISIONAL = 'provisional';

/** Why ops are notified of a statement, `null` when all is well. */
export function troubleOf({ missing, provisional }: StatementDelivery): string | null {
  return missing ?? (provisional ? PROVISIONAL : null);
}

/** How bad such a reason is. */
export function badnessOfStatement(trouble: string): Badness {
  if (trouble === PROVISIONAL) return 1;
  return [NOT_SEALED, NOTHING_SEALED, 'mail not sent'].includes(trouble) ? 2 : 3;
}

function delivery(
  { owner, period, isRecent }: ExpectedStatement,
  found: Pick<StatementDelivery, 'revision' | 'missing' | 'provisional' | 'mail'>,
): StatementDelivery {
  const { missing } = found;
  return { owner, period, ...found, counts: isRecent || (missing !== null && REPAIRABLE.includes(missing)) };
}

/** What became of a statement whose records cannot be read. */
export function unreadableStatement(
  expected: ExpectedStatement,
  revision: number | undefined,
): StatementDelivery {
  return delivery(expected, { revision, missing: NOT_READABLE, provisional: false, mail: null });
}

/**
 * What became of a statement. It counts as received when it is sealed, and its mail was accepted or delivered, or was not
 * to be sent.
 *
 * @param now milliseconds UTC
 */
export function statementDelivery(
  expected: ExpectedStatement,
  { revision, hasDays, final, ledger }: StatementRecords,
  now: number,
): StatementDelivery {
  if (revision === undefined) {
    const missing = hasDays ? NOT_SEALED : NOTHING_SEALED;
    return delivery(expected, { revision, missing, provisional: false, mail: null });
  }
  const mail = mailOutcome(ledger, { entry: 'usable', recipients: expected.recipients }, now);
  return delivery(expected, {
    revision,
    missing: reasonOfMail(mail, ledger),
    provisional: final === false,
    mail,
  });
}
