import type { Manifest } from '#records/revision/manifest.ts';
import type { ChangeMarker } from '#records/storage/change-marker.ts';
import type { Meaning } from './columns.ts';
import type { Ledger } from '#records/ledger/ledger.ts';
import type { OWN_COLUMNS } from '#records/rows/contract-columns.ts';
import type { RegisteredMerchant } from './registered-merchant.ts';

export const MANIFEST_MEANINGS: Record<keyof Manifest, Meaning> = {
  merchantCode: { meaning: 'The merchant.' },
  merchantId: {
    meaning: "The service's own id of the merchant, which records carry; null where none told it yet.",
  },
  day: { meaning: 'The day, which is the partition as well.', unit: 'YYYY-MM-DD' },
  revision: { meaning: 'Number of the revision; the first is 1, and there are no gaps.' },
  pull: { meaning: 'Id of the pull that the revision is of; files are named after it.' },
  pulledAt: { meaning: 'When the pull began.', unit: 'ISO 8601, UTC' },
  soFarUntil: {
    meaning:
      'Until when the revision holds the day, where it was pulled before the day was over; null for a whole day.',
    unit: 'ISO 8601, UTC',
  },
  scheduledTime: { meaning: 'The tick that asked for it; null by hand.', unit: 'ISO 8601' },
  balanced: {
    meaning:
      "Whether rows, totals and the service's own counts agree and are all known, but for what the registry leaves out.",
  },
  differences: { meaning: 'What does not agree.', unit: 'JSON array of name, what, service, rows, ids' },
  notCompared: {
    meaning: 'What does not agree in comparisons that the registry leaves out (`balance.ignore`).',
    unit: 'JSON array of name, what, service, rows, ids',
  },
  counts: {
    meaning: 'Invoices by state as the service counts them; null where it does not say.',
    unit: 'count',
  },
  amounts: {
    meaning:
      'Sum of the invoices made on the day per state when it was read; null where the registry has no `invoiceStatuses`.',
    unit: "amount in the merchant's currency, three fraction digits",
  },
  refunds: {
    meaning:
      'Refunds by their own date. `salebasis`: those on this page whose sale is of the day, no total; the query `refunds-on-both-bases` has all.',
    unit: "count, and amount in the merchant's currency, three fraction digits",
  },
  breakdown: {
    meaning:
      'Invoices by type, and the paid ones by payment method and by charge; null in revisions of earlier versions.',
    unit: 'JSON object of byType, byMethod, charges',
  },
  received: {
    meaning:
      'What came in on the day, whatever day its invoices were made; null in revisions of earlier versions.',
    unit: 'JSON object of count, sum, ofEarlier, byMethod, charges, basis',
  },
  issued: {
    meaning: 'The invoices made on the day by state, as it was last read; null likewise.',
    unit: 'JSON object of count, sum, and the same of each state',
  },
  open: {
    meaning: 'What of the invoices made on the day is still unpaid; null likewise.',
    unit: "count, and sum in the merchant's currency, three fraction digits",
  },
  outcomes: {
    meaning:
      'By which day the invoices made on the day were paid or cancelled, or their links end; null likewise.',
    unit: 'JSON object of paid, cancelled, open, other, seen',
  },
  followed: {
    meaning: 'By what later changes of the day are found; null in revisions of earlier versions.',
    unit: 'JSON object of stated, pendingRefunds',
  },
  told: {
    meaning:
      "The revisions of earlier days that this day's mail told, each with the one that was told before.",
    unit: 'JSON array of day, from, to',
  },
  older: {
    meaning:
      'What the mail said of all older days: invoices that expired since the last report, and those that are followed no longer and are still unpaid; null for nothing.',
    unit: 'JSON object of expired, leaving',
  },
  first: {
    meaning:
      'The day as its first whole revision said it; null for a day so far, and where no revision says it any more.',
    unit: 'JSON object of balanced, counts, amounts, received, refunds',
  },
  missingRefundIds: { meaning: 'Refunds that the page once had and the service no longer knows.' },
  digest: { meaning: 'Over the rows, whatever their order.', unit: 'SHA-256, hex' },
  drift: {
    meaning: 'What the service sent beyond the contract: names, counts and the first ids.',
    unit: 'JSON object',
  },
  history: {
    meaning: 'The days before, as they were known when the revision was sealed.',
    unit: 'JSON array of day, revision, balanced, disagreed, counts, amounts, refunds, currency, first',
  },
  previous: { meaning: 'Key of the revision before; null for the first.' },
  files: { meaning: 'The data files of the revision: what none of them names is not data.' },
  currency: {
    meaning: 'The currency of all amounts, as the registry said when they were sealed.',
    unit: 'three capitals; null in revisions of earlier versions',
  },
  timeZone: { meaning: "The merchant's zone, likewise.", unit: 'IANA name' },
  invoiceStatuses: { meaning: 'The words of `invoice_status`, likewise; null where there were none.' },
  refundStatuses: { meaning: "The words of a refund's `status`, likewise." },
  charges: { meaning: 'The columns of charges that the merchant bears, likewise.' },
  merchantName: { meaning: "The merchant's name, likewise." },
};

export const MERCHANT_MEANINGS: Record<keyof RegisteredMerchant, Meaning> = {
  merchantCode: { meaning: "The merchant's code." },
  name: { meaning: 'Its name, any text; the code where the registry has no name.' },
  timeZone: { meaning: 'The zone of its days.', unit: 'IANA name' },
  currency: { meaning: 'The currency of its amounts.', unit: 'three capitals' },
  invoiceStatuses: { meaning: 'The words of `invoice_status`; null where there are none.' },
  refundStatuses: { meaning: "The words of a refund's `status`." },
  charges: { meaning: 'The columns of charges that the merchant bears.' },
  groups: { meaning: 'Groups of merchants that it is in, by name.' },
  since: { meaning: 'Since when the registry says so, as far as the lake knows.', unit: 'ISO 8601, UTC' },
  until: { meaning: 'Until when it said so; null where it still does.', unit: 'ISO 8601, UTC' },
};

export const CHANGE_MEANINGS: Record<keyof ChangeMarker, Meaning> = {
  day: { meaning: 'The day of the page that was about to change.', unit: 'YYYY-MM-DD' },
  what: {
    meaning:
      '`days`: a sealed revision was about to be added; `mail`: a ledger of the day was about to change.',
  },
  notedAt: {
    meaning:
      'When the ten minutes of the marker begin. The change itself is written at most 25 minutes later.',
    unit: 'ISO 8601, UTC',
  },
};

export const LEDGER_MEANINGS: Record<Exclude<keyof Ledger, 'says' | 'tells'>, Meaning> = {
  key: { meaning: "The ledger's own key." },
  status: {
    meaning:
      'One word for all recipients: intended, accepted, delivered, bounced, complained, failed, skipped or held. If all recipients of a round have the mail, it is accepted or delivered. If not, it is the most urgent status of a recipient in the newest round.',
  },
  kind: { meaning: 'report or correction.' },
  corrects: {
    meaning: 'For a correction: the revision whose mail it corrects. null for a report.',
  },
  figures: { meaning: 'What the mail told.', unit: 'JSON object' },
  alerts: { meaning: 'What an alert mail says about each rule; null for a report.' },
  intendedAt: { meaning: 'When a run first wanted to mail.', unit: 'ISO 8601, UTC' },
  until: { meaning: "When the writing run's time is over.", unit: 'ISO 8601, UTC' },
  writer: { meaning: 'The run that may write.' },
  round: { meaning: '1 for the mail of the revision; each resend begins the next.' },
  partial: {
    meaning:
      'The rounds that were for some recipients only, with the SHA-256 of their addresses, and of those who were no recipients any more (`former`); every other round was for all.',
  },
  reason: { meaning: 'Why there is no mail, where there is none.' },
  nothingToSend: {
    meaning:
      'Why the revision was not to be mailed by itself, whatever a resend did later; null where it was.',
  },
  recipients: {
    meaning:
      'What became of the mail, recipient by recipient and round by round; `to` is the SHA-256 of the address, `tries` how often SES got a mail that it refused.',
  },
};

/** The same members of the ledger of a statement or of a group's page. */
export const STATEMENT_LEDGER_MEANINGS: Record<Exclude<keyof Ledger, 'says' | 'tells'>, Meaning> = {
  ...LEDGER_MEANINGS,
  kind: { meaning: "statement or correction; of a group's page: group." },
  corrects: { meaning: 'For a correction: the revision whose mail it corrects. null for any other mail.' },
  figures: { meaning: 'What the mail told; null for a group.', unit: 'JSON object' },
  alerts: { meaning: 'What an alert mail says about each rule; null here.' },
};

/** The meanings of the members that Daybook puts before the service's own in every row. */
export const OWN_MEANINGS: Record<(typeof OWN_COLUMNS)[number], Meaning> = {
  _merchant_code: { meaning: 'The merchant whose page the row is on.' },
  _day: { meaning: "The day of the page, a date in the merchant's own zone.", unit: 'YYYY-MM-DD' },
  _query_type: { meaning: 'The `invoiceType` that was asked for; null for refunds.' },
};

const AMOUNT = "amount in the merchant's currency, three fraction digits";
const MOMENT = "YYYY-MM-DD HH:MM:SS, in the service's own zone, which the contract does not say";
const NOT_SHOWN = 'The contract does not show its type or meaning; null for an unpaid invoice.';

/** The meanings of the contract's members of an invoice, by path. Where the contract gives no meaning, there is no guess. */
export const INVOICE_MEANINGS: Record<string, Meaning> = {
  id: { meaning: 'Identifies the invoice at the service.' },
  invoice_type: { meaning: '1 single, 0 subscription, 6 split, 7 installment.' },
  invoice_sub_type: { meaning: 'Values not shown.' },
  order_drop_id: { meaning: 'Not explained.' },
  token: { meaning: "The invoice's token." },
  access_key: { meaning: 'Access key of the invoice.' },
  split_access_key: { meaning: 'Access key of a split invoice; empty when not applicable.' },
  merchant_id: { meaning: "The service's own id of the merchant; not the merchant code." },
  reference_number: { meaning: 'Reference number of the invoice.' },
  amount: { meaning: 'What is to be paid.', unit: AMOUNT },
  admin_charge: { meaning: 'Administration charge.', unit: AMOUNT },
  service_charge: { meaning: 'Service charge.', unit: AMOUNT },
  subscription: { meaning: 'Values not shown.' },
  discount: { meaning: 'Discount.', unit: AMOUNT },
  description: { meaning: 'Free text. People may be named in it.' },
  sms_response: { meaning: 'Text that holds a JSON object.' },
  invoice_status: { meaning: "Values not shown; the registry's `invoiceStatuses` says what they are." },
  payment_method: { meaning: 'The methods offered.' },
  sms_status: { meaning: 'Values not shown.' },
  url_status: { meaning: 'Values not shown.' },
  visited_count: { meaning: 'How often the payment link was visited.', unit: 'count' },
  country_id: { meaning: 'Country, by id.' },
  created_id: { meaning: 'Not explained.' },
  language: { meaning: 'Language code.' },
  expires_at: { meaning: 'When the invoice expires.', unit: 'YYYY-MM-DD' },
  url: { meaning: 'Payment link.' },
  spliturl: { meaning: 'Payment link of a split invoice.' },
  created_at: { meaning: 'When it was created.', unit: MOMENT },
  updated_at: { meaning: 'When it was last changed.', unit: MOMENT },
  rentperiod: { meaning: 'Null or unspecified.' },
  transaction: { meaning: 'How it was paid; all members are null for an unpaid invoice.' },
  'transaction.payment_type_id': { meaning: NOT_SHOWN },
  'transaction.payment_id': { meaning: NOT_SHOWN },
  'transaction.post_date': { meaning: NOT_SHOWN },
  'transaction.result_code': { meaning: NOT_SHOWN },
  'transaction.track_id': { meaning: NOT_SHOWN },
  'transaction.transaction_id': { meaning: NOT_SHOWN },
  'transaction.reference_number': { meaning: NOT_SHOWN },
  'transaction.payment_type': { meaning: NOT_SHOWN },
  'transaction.paid_on': { meaning: NOT_SHOWN },
  'transaction.Auth': { meaning: NOT_SHOWN },
  'transaction.Amount': { meaning: NOT_SHOWN },
  'transaction.admin_charge': { meaning: NOT_SHOWN },
  customer: { meaning: 'Who is to pay.' },
  'customer.name': { meaning: 'Name of the customer.' },
  'customer.email': { meaning: 'Mail address of the customer.' },
  'customer.phone_number': { meaning: 'Phone number of the customer.' },
  created_by_merchant: { meaning: 'Who created it.' },
  'created_by_merchant.id': { meaning: 'Id of the creator.' },
  'created_by_merchant.name': { meaning: 'Name of the creator.' },
  products: {
    meaning: 'May be empty; the shape of an element is not shown.',
    unit: 'JSON array',
  },
};

/** The meanings of the contract's members of a refund, by path. Where the contract gives no meaning, there is no guess. */
export const REFUND_MEANINGS: Record<string, Meaning> = {
  id: { meaning: 'Refund identifier.' },
  merchant_id: { meaning: "The service's own id of the merchant; not the merchant code." },
  amount: { meaning: 'What is refunded.', unit: AMOUNT },
  refund_at: { meaning: 'The date of the refund; refunds are counted by it.', unit: 'YYYY-MM-DD' },
  document_number: { meaning: 'May be empty.' },
  token: { meaning: "The refund's token." },
  transaction_date: {
    meaning: 'When the transaction refunded took place: the sale.',
    unit: MOMENT,
  },
  order_reference_number: { meaning: 'Reference number of the order.' },
  recover_method: { meaning: 'Values not shown.' },
  status: { meaning: "Values not shown; the registry's `refunds.statuses` names them." },
  refund_method: { meaning: 'Values not shown.' },
  remarks: { meaning: 'Free text. People may be named in it.' },
  approved_by: { meaning: 'Who approved it; empty while nobody has.' },
  total_balance_amount: { meaning: 'Balance of the transaction refunded.', unit: AMOUNT },
  total_refunded_amount: { meaning: 'Refunded so far of that transaction.', unit: AMOUNT },
  total_transaction_amount: { meaning: 'Amount of that transaction.', unit: AMOUNT },
  created_at: { meaning: 'When the refund was created.', unit: MOMENT },
  updated_at: { meaning: 'When it was last changed.', unit: MOMENT },
  transaction: { meaning: 'The payment transaction refunded.' },
  'transaction.id': { meaning: 'Identifies the transaction.' },
  'transaction.amount': {
    meaning: 'A JSON number, passed through: take no total from it.',
    unit: "number in the merchant's currency, not exact",
  },
  'transaction.admin_charge': {
    meaning: 'A JSON number, passed through: take no total from it.',
    unit: "number in the merchant's currency, not exact",
  },
  'transaction.token': { meaning: "The transaction's token." },
  'transaction.payment_id': { meaning: 'Id of the payment service used.' },
  'transaction.payment_name': { meaning: 'Name of it.' },
  'transaction.display_name': { meaning: 'Name of it as shown to people.' },
  'transaction.track_id': { meaning: 'Track id.' },
  'transaction.transaction_id': { meaning: 'Transaction id as text.' },
  'transaction.service_id': { meaning: 'Not explained.' },
  'transaction.auth': { meaning: 'Authorisation.' },
  'transaction.status': { meaning: 'Values not shown.' },
  'transaction.created_at': { meaning: 'When the transaction was created.', unit: MOMENT },
};
