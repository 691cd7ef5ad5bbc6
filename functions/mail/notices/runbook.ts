/** The sections for operators that notices link: documents in `docs/`, and headings in them. */
export const HEADINGS = {
  reportsMissing: { document: 'runbook', heading: 'Merchants have failed' },
  statementsMissing: { document: 'runbook', heading: 'Statements are missing' },
  statementProvisional: { document: 'runbook', heading: 'A statement is provisional' },
  didNotRun: { document: 'runbook', heading: 'Daybook did not run' },
  notBalanced: { document: 'runbook', heading: 'A day is not balanced' },
  cipherFailures: { document: 'runbook', heading: 'Cipher failures' },
  mailHeld: { document: 'runbook', heading: 'A mail is held' },
  mailNotSent: { document: 'runbook', heading: 'A mail was not sent' },
  mailsBounce: { document: 'runbook', heading: 'Mails bounce or are complained about' },
  eventNotBelieved: { document: 'runbook', heading: 'An event of a mail is not believed' },
  noData: { document: 'runbook', heading: 'Alert rules have no data' },
  registryNotUsed: { document: 'runbook', heading: 'The registry is not used' },
  recordNotReadable: { document: 'runbook', heading: 'A record cannot be read' },
  addressStopped: { document: 'operations', heading: 'An address is stopped' },
  refusedMails: {
    document: 'operations',
    heading: '`MailRefusedError`, `MailUnfinishedError`, `LedgerFullError`',
  },
  serviceErrors: { document: 'operations', heading: 'Errors of the service' },
  settingsErrors: { document: 'operations', heading: 'Errors of settings and events' },
  bucketErrors: { document: 'operations', heading: 'Errors of the bucket' },
  runErrors: { document: 'operations', heading: 'Errors of runs' },
  credentials: { document: 'operations', heading: 'Credentials and rotation' },
} as const satisfies Record<string, { document: 'runbook' | 'operations'; heading: string }>;

export type HeadingName = keyof typeof HEADINGS;

/** The section of docs/operations.md that explains each error. */
export const ERROR_SECTIONS = {
  serviceErrors: [
    'RateLimitedError',
    'ServerError',
    'RequestTimeoutError',
    'ConnectionError',
    'DeadlineError',
    'ContractError',
    'MalformedAnswerError',
    'RefusedError',
    'NotFoundError',
    'RedirectError',
    'AnswerTooLargeError',
    'RefundListMissingError',
  ],
  settingsErrors: [
    'RegistryError',
    'InvalidMerchantError',
    'UnknownMerchantError',
    'InvalidGroupError',
    'InvalidPeriodError',
    'UnknownGroupError',
    'InvalidEventError',
    'InvalidDayError',
    'EnvironmentError',
    'ForbiddenOriginError',
    'WatchListError',
    'NothingSealedError',
    'PreviewAddressError',
  ],
  bucketErrors: [
    'StorageError',
    'StoredObjectError',
    'AmountError',
    'SealedLineError',
    'UnreadableRowsError',
  ],
  runErrors: [
    'SealContestedError',
    'StateContestedError',
    'LedgerContestedError',
    'SpoolFullError',
    'QueueError',
    'SweepUnfinishedError',
    'StatementFailedError',
    'HistoryUnfinishedError',
    'HistoryIsBehindError',
    'OpsNotToldError',
    'UnexpectedError',
  ],
  credentials: [
    'CipherError',
    'InvalidRequestError',
    'LoginRefusedError',
    'ForbiddenError',
    'SecretError',
    'SecretsManagerError',
  ],
  refusedMails: ['MailRefusedError', 'MailUnfinishedError', 'LedgerFullError'],
} as const satisfies Partial<Record<HeadingName, readonly string[]>>;

/** For an unknown name: the section of unexpected errors. */
export function headingOfError(name: string): HeadingName {
  const sections: Partial<Record<HeadingName, readonly string[]>> = ERROR_SECTIONS;
  const headings = [
    'serviceErrors',
    'settingsErrors',
    'bucketErrors',
    'credentials',
    'refusedMails',
  ] as const;
  return headings.find((heading) => sections[heading]?.includes(name)) ?? 'runErrors';
}

/** A heading's fragment, as GitHub and most Markdown renderers make it. */
export function fragmentOf(heading: string): string {
  return heading
    .toLowerCase()
    .replaceAll(/[^\p{L}\p{N}\s_-]/gu, '')
    .replaceAll(/\s/g, '-');
}

/**
 * A link, or document and heading.
 * @param runbook URL of the published docs/runbook.md, without a fragment; with docs/operations.md beside it
 * where it ends in `/runbook.md`
 */
export function placeOf(name: HeadingName, runbook: string | undefined): string {
  const { document, heading } = HEADINGS[name];
  const fragment = fragmentOf(heading);
  if (runbook !== undefined) {
    if (document === 'runbook') return `${runbook}#${fragment}`;
    if (runbook.endsWith('/runbook.md')) {
      return `${runbook.slice(0, -'runbook.md'.length)}${document}.md#${fragment}`;
    }
  }
  return `docs/${document}.md#${fragment}`;
}
