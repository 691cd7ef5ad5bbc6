/**
 * Errors that last until a person acts: the registry, the secret or the message itself is wrong. `CipherError` is not one: the
 * key may be under rotation. `LoginRefusedError` is one: another try may lock the account.
 */
const LASTING: ReadonlySet<string> = new Set([
  'EnvironmentError',
  'ForbiddenOriginError',
  'InvalidDayError',
  'InvalidEventError',
  'InvalidGroupError',
  'InvalidMerchantError',
  'InvalidPeriodError',
  'LoginRefusedError',
  'RedirectError',
  'RefundListMissingError',
  'SecretError',
  'SpoolFullError',
  'UnknownGroupError',
  'UnknownMerchantError',
  'WatchListError',
]);

/** Another run is at the same work, and is done in a minute. */
const CONTESTED: ReadonlySet<string> = new Set([
  'MailUnfinishedError',
  'SealContestedError',
  'StateContestedError',
]);

/** Seconds until a message comes back: the first time and each later time. They add up to less than the deadline of a report. */
const CONTESTED_WAIT = 60;
const FIRST_WAIT = 4 * 60;
const LATER_WAIT = 20 * 60;

/**
 * When a message that failed comes back: up to half earlier or later than usual.
 * @param errors names @param receives how often it was received
 * @returns seconds, at least and at most; and whether every error lasts, so that it is put aside at once
 */
export function secondsUntilBack(errors: readonly string[], receives: number) {
  const isContested = errors.every((name) => CONTESTED.has(name));
  const wait = isContested ? CONTESTED_WAIT : receives === 1 ? FIRST_WAIT : LATER_WAIT;
  return { lasts: errors.every((name) => LASTING.has(name)), least: wait / 2, most: wait * 1.5 };
}
