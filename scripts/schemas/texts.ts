import type { Texts } from './json-schema.ts';

/** For the registry's `$schema` and the secret's. */
export const SCHEMA_TEXT = 'The schema of this file, for editors. Daybook does not read it.';

export const SERVICE_TEXTS: Texts = {
  baseUrl:
    'The service’s address. A path in it goes before every other path. Its origin must be one of SERVICE_ORIGINS.',
  loginPath: 'The path of the login. Default: /api/v1/login',
  refreshPath: 'The path that renews a token that has expired. Default: /api/v1/token-refresh',
  refundListPath: 'The path of the list of a day’s refunds. Default: /api/v1/refund/',
  transactionsPath:
    'The path of the operator’s transaction list, such as /api/v1/report/transactions. What came in is held against it. Default: nothing is asked.',
};

const BRANDING: Texts = {
  senderName: 'The name in From, at the top of the mail and in its last line.',
  logo: 'An https URL of an image without "?", "#" and "@". It is shown 32 pixels high.',
  colour: 'The colour of the name at the top, such as #0b5c4a. Its contrast with white must be 4.5 to 1.',
  help: 'An https URL, or mailto: and one address.',
  address: 'A postal address on one line.',
  footer: 'false: the last line does not say that the mail was sent with Daybook.',
};

const WEEKLY: Texts = {
  on: 'The weekday of the mail. It covers the last whole week before that day.',
  at: 'HH:MM on the clock of timeZone.',
};

const MONTHLY: Texts = {
  onDay: 'The day of the next month, 1 to 28.',
  at: 'HH:MM on the clock of timeZone.',
};

export const MERCHANT_TEXTS: Texts = {
  merchantCode:
    'Names the merchant to the service, in the secret and in every key. Letters, digits and "-", 64 at most.',
  name: 'The merchant’s name in mails. Default: the code.',
  recipients:
    'Who gets the mails, each in a separate message. 100 addresses at most. Without them, the day is sealed and no mail is sent.',
  language: 'The language of mails and attachments. Default: en',
  branding: {
    is: 'How mails name and show their sender. Default: as the stage says.',
    members: BRANDING,
  },
  timeZone: 'The clock by which "yesterday", "today" and reportAt are meant. Default: Asia/Kuwait',
  reportAt: 'When yesterday is reported, HH:MM on the clock of timeZone. Default: 06:00',
  weekStart: 'The first day of the merchant’s week. Default: sunday',
  statements: {
    is: 'Statements of whole weeks and months. null: none, whatever the defaults say. Default: none.',
    members: {
      weekly: { is: 'When the statement of a week is mailed. null: never.', members: WEEKLY },
      monthly: { is: 'When the statement of a month is mailed. null: never.', members: MONTHLY },
      waitFor:
        'How long a statement waits for days that are not sealed, such as "12h", 7d at most. Then it is provisional.',
      correctFor:
        'How long after its period a statement follows corrections of its days, such as "45d", 366d at most.',
      closeAfter:
        'When a statement is closed, in days after the end of its period, such as "15d", 366d at most. Later changes are adjustments in the next one. Default: never.',
    },
  },
  reportFrom: 'The first day that is mailed, YYYY-MM-DD. Default: from the beginning.',
  linksFrom:
    'Links of mails that went out before this time no longer work, such as 2026-11-27T09:00:00Z. Default: none.',
  lookbackDays:
    'How many days before the reported one are pulled again. Changes are mailed as a correction. Default: [1, 3, 7]',
  followFor:
    'How many days open invoices and pending refunds are followed, up to 400d. "0d": lookbackDays alone. Default: 90d',
  otherChannels:
    'Whether it may also be paid at points of sale, through the gateway or by open invoices. The report says that these are not in it.',
  corrections:
    'Where changes of older days are told. morning: in the next report; each: in a mail for each day; none. Default: morning',
  currency: 'The code that is shown after amounts. Nothing is converted. Default: KWD',
  invoiceTypes:
    'The invoice types to request, each once. 1 single, 0 subscription, 6 split, 7 instalment. Default: all four.',
  invoiceStatuses:
    'What the numbers of invoice_status mean. The contract shows 0, 1 and 3. A number without a word counts as other.',
  charges: 'The columns of a paid invoice that the merchant bears. Default: none.',
  refunds: {
    is: 'Where refunds are read from, and what their statuses mean.',
    members: {
      source:
        'Where refund ids come from: the service’s list, the watch list under config/refunds/, or both. Default: list',
      statuses: 'Words for the numbers of a refund’s status. The report subtracts those that are "approved".',
    },
  },
  balance: {
    is: 'Which comparisons decide whether a day is balanced.',
    members: {
      ignore: 'Names of comparisons that do not decide it. docs/registry.md says what each compares.',
    },
  },
  maxConcurrency: 'The most requests in flight for this merchant, 1 to 64. Default: 16',
  attachCsv: 'Attaches the day’s invoices as CSV. Default: false',
  attachXlsx: 'Attaches the day’s invoices and refunds as an Excel workbook. Default: false',
  attachments: {
    is: 'What the attached files say.',
    members: {
      paymentMethods: 'Names for the service’s payment methods, such as { "1": "KNET" }.',
      idsAsText: 'Whether a spreadsheet that opens the CSV keeps ids digit by digit. Default: false',
    },
  },
  books: {
    is: 'Import files for a program of books, attached to statements. Default: none.',
    members: {
      layout: 'The program, or the standard of ISO 20022: docs/books.md says what each file has.',
      daily: 'Whether each day’s mail brings a file, too. Default: false',
    },
  },
  skipEmpty: 'No mail for a balanced day without invoices and refunds. Default: false',
  secretId: 'The secret that has this merchant’s credentials. Default: CREDENTIALS_SECRET',
  merchantId: 'The service’s own id of the merchant. Default: what earlier days say.',
  redact: 'Columns whose values are left out of the lake and of attachments, such as customer_name.',
  alerts: 'Rules that watch figures. A merchant’s own list replaces that of the defaults.',
};

export const GROUP_TEXTS: Texts = {
  name: 'Names the group in keys and commands. Letters, digits and "-", 64 at most. Each name once.',
  merchants: 'Whose figures the recipients see: "all", { "prefix": "70" } or a list of codes.',
  recipients: 'Who gets the pages, each in a separate message. 100 addresses at most.',
  language: 'The language of mails and attachments. Default: that of the defaults.',
  branding: { is: 'How mails name and show their sender. Default: that of the defaults.', members: BRANDING },
  timeZone: 'The clock of the times below. Default: that of the defaults.',
  daily: 'Whether there is a page of each day. Default: false',
  weekly: { is: 'When the page of a week is mailed. Default: never.', members: WEEKLY },
  monthly: { is: 'When the page of a month is mailed. Default: never.', members: MONTHLY },
  waitFor:
    'How long a page waits for what is not sealed, such as "12h", 7d at most. Default: that of the default statements, or 12h.',
  correctFor:
    'How long after its period a page follows corrections, such as "45d", 366d at most. Default: that of the default statements, or 45d.',
  attachXlsx: 'Attaches a workbook with every row. Default: true',
};

export const PREFIX_TEXTS: Texts = {
  prefix: 'How the codes of the merchants begin.',
};

export const RULE_TEXTS: Texts = {
  name: 'Letters, digits and "-", 64 at most. Unique for a merchant. Mails do not show it.',
  measure: 'The figure that the rule watches.',
  above: 'The rule fires when the figure is above this. Give "above" or "below".',
  below: 'The rule fires when the figure is below this. A day’s figures begin at zero: give notBefore, too.',
  clearAt: 'The figure at which the rule is resolved, on the good side of the bound. Default: the bound.',
  forChecks: 'Checks in a row that must be out of bounds. Default: 1',
  repeatAfter:
    'Time between reminders while the rule fires, such as "30m", "24h" or "7d". Default: no reminders.',
  muteUntil: 'Until this time the rule sends no mails, such as "2026-11-21T09:00:00+03:00".',
  severity: 'How urgent the mail is. Default: warning',
  notBefore: 'HH:MM on the merchant’s clock. Before it, the day’s figure is not checked.',
  title: 'The merchant’s own headline of the mail, 80 characters at most.',
  note: 'A note below it, such as what to do. 300 characters at most.',
};

/** The members of a rule that only some measures have. */
export const PARAMETER_TEXTS: Texts = {
  withinDays: 'Invoices count that expire today or within this number of days.',
  createdWithinDays: 'Invoices count that were created within this number of days. Default: 30',
};

export const MEASURE_TEXTS: Readonly<Record<string, string>> = {
  invoiceCount: 'Number of the day’s invoices.',
  unpaidCount: 'Number of those that are not paid.',
  unpaidShare: 'Percentage of those that are not paid.',
  unpaidAmount: 'What the unpaid ones come to. Needs invoiceStatuses.',
  cancelledCount: 'Number of those that are cancelled.',
  cancelledShare: 'Percentage of those that are cancelled.',
  refundCount: 'Number of refunds by refund date.',
  refundTotal: 'What the refunds come to.',
  refundShare: 'Refunds in percent of the paid amount. Needs invoiceStatuses.',
  largestRefund: 'The largest refund.',
  expiringUnpaid: 'Number of unpaid invoices that expire soon. Needs invoiceStatuses.',
  reportAge: 'Hours since the newest whole sealed day was pulled.',
  shareOfUsualSoFar:
    'What was paid of the day’s invoices up to the last quarter of an hour, in percent of the same weekday’s average of four weeks by then.',
  shareOfUsualDay:
    'What came in on the newest sealed day, in percent of the same weekday’s average of four weeks, each day as first read.',
};

const CREDENTIALS: Texts = {
  accessCode: 'The service’s access code.',
  cipher: {
    is: 'The merchant’s encryption key and IV.',
    members: {
      algorithm: 'Always aes-256-cbc.',
      key: '32 bytes, as the service shows it.',
      iv: '16 bytes, as the service shows it.',
    },
  },
  username: 'For the login, with password.',
  password: 'For the login, with username.',
  accessToken: 'In place of username and password: then there is no login.',
};

export const SECRET_TEXTS: Texts = {
  ...CREDENTIALS,
  previous: {
    is: 'The values before a rotation. Members that it leaves out are those of the entry.',
    members: CREDENTIALS,
  },
};
