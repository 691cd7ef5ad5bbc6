/**
 * Which failures the fan-out tries again by itself, at once and with full jitter. It is a matter of names: they are
 * what a state machine can match on. Everything that is not retried here, or fails in spite of it, comes again in the
 * second round, after all other merchants.
 */

/** Lambda turned the call away before it ran: too many at once in this account. Trying again costs nothing but time. */
export const THROTTLED = ['Lambda.TooManyRequestsException'];

/**
 * Lambda itself failed. Whether the function ran is not known; that it resumes makes another call harmless.
 *
 * Not among them, on purpose: those of {@link DIED}. A run that took its whole time or memory would most likely do so again, and a STANDARD child may
 * wait for the second round, when the rest of the merchants are done and the service has calmed down.
 */
export const LAMBDA_FAILED = [
  'Lambda.ServiceException',
  'Lambda.AWSLambdaException',
  'Lambda.SdkClientException',
  'Lambda.ClientExecutionTimeoutException',
];

/**
 * The function did not come to its end, or its answer did not come. `plan` is tried again all the same: it takes
 * seconds, does nothing twice, and a round that it does not plan is nobody's.
 */
export const DIED = [
  'Sandbox.Timedout',
  'States.Timeout',
  'Lambda.Unknown',
  'Runtime.ExitError',
  'Runtime.OutOfMemory',
];

/** Errors of our own that pass: the same call may well succeed a little later, and why. */
export const PASSING_ERRORS = {
  ConnectionError:
    'the network to the payment service, after 90 s of attempts; a refused certificate too, which three tries do not harm',
  RateLimitedError: 'the payment service asks for fewer requests',
  RequestTimeoutError: 'the payment service was slow',
  ServerError: 'the payment service failed or restarts',
  MalformedAnswerError: "a gateway's page in place of an answer",
  StorageError: 'S3 failed; a right that is missing has the same name, which three tries do not harm',
  SealContestedError: 'other runs sealed other content of the day meanwhile',
  StateContestedError: "other checks wrote the merchant's rule states meanwhile",
  MailUnfinishedError:
    'another run is at the mail of the same revision, or time ran out between two recipients',
} as const;

/** Errors of our own that stay until somebody does something, or that only a later round can mend, and why. */
export const LASTING_ERRORS = {
  AmountError: 'the same rows hold the same amount',
  AnswerTooLargeError: 'the same page is as large again',
  CipherError: 'the keys were read anew already; a wrong one stays wrong',
  ContractError: 'the service speaks another contract',
  DeadlineError:
    'the pull had the whole time of a run; another at once would take as long. The second round may do better',
  EnvironmentError: 'a variable of the function is wrong',
  ForbiddenError: 'fresh tokens were refused, too',
  ForbiddenOriginError: 'the registry points where credentials must not go',
  InvalidDayError: 'the event',
  InvalidEventError: 'the event',
  InvalidMerchantError: "the merchant's entry in the registry",
  InvalidRequestError: 'the service cannot read what we encrypt',
  LedgerFullError: 'the ledger has no room for another round of a resend',
  LedgerContestedError: 'raised by mail-events only, which no state machine calls',
  LoginRefusedError: 'user name or password; trying again may lock the account',
  MailRefusedError:
    'the mail service refused, after waiting where it throttled. The second round tries those recipients again',
  NothingSealedError: 'there is nothing to send again',
  NotFoundError: 'the service does not know it',
  OpsNotToldError: 'mail and topic failed both; the next check tries again',
  PreviewAddressError: 'the event',
  RedirectError: 'the service has moved',
  RefundListMissingError: 'the service has no such list; the message names the setting',
  RefusedError: 'the service refuses in words of its own',
  RegistryError: 'the registry, and there is no last good one',
  RoundResultsError: 'what a round left does not change; a later tick hands the round out again',
  SealedLineError: 'a sealed file is spoilt',
  SecretError: 'the secret, or the right to read it',
  SpoolFullError: 'the day is larger than the disk',
  StoredObjectError: 'an object is not what Daybook writes',
  SweepUnfinishedError: 'of a function that this does not call',
  UnexpectedError: 'a mistake in the code; it fails the same way again',
  UnknownMerchantError: 'the registry has no such merchant',
  UnreadableRowsError: 'the same rows are as long again',
  WatchListError: 'the list of refund ids is malformed',
} as const;
