/**
 * The failures that the fan-out retries by itself, at once and with full jitter. A state machine can only match them by
 * name. Everything else, and what still fails after the retries, runs again in the second round, after all other
 * merchants.
 */

/** Lambda refused the call before it ran: too many calls at once in this account. A retry only costs time. */
export const THROTTLED = ['Lambda.TooManyRequestsException'];

/**
 * Lambda itself failed. It is not known whether the function ran. A second call is harmless, because a run resumes.
 *
 * The errors of {@link DIED} are not here on purpose. A run that used all its time or memory would most likely do so again. A STANDARD
 * child can wait for the second round, when the other merchants are done and the service has recovered.
 */
export const LAMBDA_FAILED = [
  'Lambda.ServiceException',
  'Lambda.AWSLambdaException',
  'Lambda.SdkClientException',
  'Lambda.ClientExecutionTimeoutException',
];

/**
 * The function did not end, or its answer did not arrive. `plan` is retried all the same: it takes seconds and does
 * nothing twice, and without a plan the items of a round would never run.
 */
export const DIED = [
  'Sandbox.Timedout',
  'States.Timeout',
  'Lambda.Unknown',
  'Runtime.ExitError',
  'Runtime.OutOfMemory',
];

/** Errors of our own that pass: the same call may succeed a little later. Each with its reason. */
export const PASSING_ERRORS = {
  ConnectionError:
    'the network to the payment service, after 90 s of attempts; also a refused certificate, where three tries do no harm',
  RateLimitedError: 'the payment service asks for fewer requests',
  RequestTimeoutError: 'the payment service was slow',
  ServerError: 'the payment service failed or restarts',
  MalformedAnswerError: "a gateway's page in place of an answer",
  StorageError: 'S3 failed; also a missing right, where three tries do no harm',
  SealContestedError: 'other runs sealed other content of the day at the same time',
  StateContestedError: "other checks wrote the merchant's rule states at the same time",
  MailUnfinishedError:
    'another run works on the mail of the same revision, or time ran out between two recipients',
} as const;

/** Errors of our own that last until somebody acts, or that only a later round can solve. Each with its reason. */
export const LASTING_ERRORS = {
  AmountError: 'the same rows contain the same amount',
  AnswerTooLargeError: 'the same page is too large again',
  CipherError: 'the keys were already read again; a wrong key stays wrong',
  ContractError: 'the service does not keep the contract',
  DeadlineError:
    'the pull used the whole time of a run; an immediate retry would take as long. The second round may succeed',
  EnvironmentError: 'a variable of the function is wrong',
  ForbiddenError: 'fresh tokens were refused, too',
  ForbiddenOriginError: 'the registry names an origin that must not get credentials',
  InvalidDayError: 'the event',
  InvalidEventError: 'the event',
  InvalidGroupError: 'the group in the registry is wrong',
  InvalidPeriodError: 'the event',
  InvalidMerchantError: "the merchant's entry in the registry is wrong",
  InvalidRequestError: 'the service cannot read our encrypted request',
  LedgerFullError: 'the ledger has no room for another round of a resend',
  LedgerContestedError: 'raised by mail-events only, which no state machine calls',
  LoginRefusedError: 'user name or password is wrong; a retry may lock the account',
  MailRefusedError:
    'the mail service refused, after waiting where it throttled. The second round tries those recipients again',
  NothingSealedError: 'there is nothing to send again, or to add up',
  NotFoundError: 'the service does not know it',
  OpsNotToldError: 'mail and topic both failed; the next check tries again',
  PreviewAddressError: 'the event',
  RedirectError: 'the service has moved',
  RefundListMissingError: 'the service has no such list; the message names the setting',
  RefusedError: 'the service refuses and gives its own reason',
  RegistryError: 'the registry is wrong, and there is no last good one',
  RoundResultsError: 'the results of a round do not change; a later tick gives the items out again',
  SealedLineError: 'a sealed file is damaged',
  SecretError: 'the secret is wrong, or the right to read it is missing',
  SpoolFullError: 'the day is larger than the disk',
  StoredObjectError: 'an object does not have the form that Daybook writes',
  SweepUnfinishedError: 'comes from a function that no state machine calls',
  UnexpectedError: 'a mistake in the code; a retry fails in the same way',
  UnknownGroupError: 'the registry has no such group',
  UnknownMerchantError: 'the registry has no such merchant',
  UnreadableRowsError: 'the same rows are too long again',
  WatchListError: 'the list of refund ids is malformed',
} as const;
