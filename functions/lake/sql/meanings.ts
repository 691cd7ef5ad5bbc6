import type { Manifest } from '#records/revision/manifest.ts';
import type { ChangeMarker } from '#records/storage/change-marker.ts';
import type { Ledger } from '#records/ledger/ledger.ts';
import type { OWN_COLUMNS } from '#records/rows/contract-columns.ts';
import type { RegisteredMerchant } from './registered-merchant.ts';

export const MANIFEST_MEANINGS: Record<keyof Manifest, string> = {
  merchantCode: 'The merchant.',
  merchantId: "The service's own id of the merchant, which records carry; null where none told it yet.",
  day: 'The day, which is the partition as well. [YYYY-MM-DD]',
  revision: 'Number of the revision; the first is 1, and there are no gaps.',
  pull: 'Id of the pull that the revision is of; files are named after it.',
  pulledAt: 'When the pull began. [ISO 8601, UTC]',
  soFarUntil:
    'Until when the revision holds the day, where it was pulled before the day was over; null for a whole day. [ISO 8601, UTC]',
  scheduledTime: 'The tick that asked for it; null by hand. [ISO 8601]',
  balanced:
    "Whether rows, totals and the service's own counts agree and are all known, but for what the registry leaves out.",
  differences: 'What does not agree. [JSON array of name, what, service, rows, ids]',
  notCompared:
    'What does not agree in comparisons that the registry leaves out (`balance.ignore`). [JSON array of name, what, service, rows, ids]',
  counts: 'Invoices by state as the service counts them; null where it does not say. [count]',
  amounts:
    "Sum of the invoices made on the day per state when it was read; null where the registry has no `invoiceStatuses`. [amount in the merchant's currency, three fraction digits]",
  refunds:
    "Refunds by their own date. `salebasis`: those on this page whose sale is of the day, no total; the query `refunds-on-both-bases` has all. [count, and amount in the merchant's currency, three fraction digits]",
  breakdown:
    'Invoices by type, and the paid ones by payment method and by charge; null in revisions of earlier versions. [JSON object of byType, byMethod, charges]',
  received:
    'What came in on the day, whatever day its invoices were made; null in revisions of earlier versions. [JSON object of count, sum, ofEarlier, byMethod, charges, basis]',
  issued:
    'The invoices made on the day by state, as it was last read; null likewise. [JSON object of count, sum, and the same of each state]',
  open: "What of the invoices made on the day is still unpaid; null likewise. [count, and sum in the merchant's currency, three fraction digits]",
  outcomes:
    'By which day the invoices made on the day were paid or cancelled, or their links end; null likewise. [JSON object of paid, cancelled, open, other, seen]',
  followed:
    'By what later changes of the day are found; null in revisions of earlier versions. [JSON object of stated, pendingRefunds]',
  told: "The revisions of earlier days that this day's mail told, each with the one that was told before. [JSON array of day, from, to]",
  older:
    'What the mail said of all older days: invoices that expired since the last report, and those that are followed no longer and are still unpaid; null for nothing. [JSON object of expired, leaving]',
  first:
    'The day as its first whole revision said it; null for a day so far, and where no revision says it any more. [JSON object of balanced, counts, amounts, received, refunds]',
  missingRefundIds: 'Refunds that the page once had and the service no longer knows.',
  digest: 'Over the rows, whatever their order. [SHA-256, hex]',
  drift: 'What the service sent beyond the contract: names, counts and the first ids. [JSON object]',
  history:
    'The days before, as they were known when the revision was sealed. [JSON array of day, revision, balanced, disagreed, counts, amounts, refunds, currency, first]',
  previous: 'Key of the revision before; null for the first.',
  files: 'The data files of the revision: what none of them names is not data.',
  currency:
    'The currency of all amounts, as the registry said when they were sealed. [three capitals; null in revisions of earlier versions]',
  timeZone: "The merchant's zone, likewise. [IANA name]",
  invoiceStatuses: 'The words of `invoice_status`, likewise; null where there were none.',
  refundStatuses: "The words of a refund's `status`, likewise.",
  charges: 'The columns of charges that the merchant bears, likewise.',
  merchantName: "The merchant's name, likewise.",
};

export const MERCHANT_MEANINGS: Record<keyof RegisteredMerchant, string> = {
  merchantCode: "The merchant's code.",
  name: 'Its name, any text; the code where the registry has no name.',
  timeZone: 'The zone of its days. [IANA name]',
  currency: 'The currency of its amounts. [three capitals]',
  invoiceStatuses: 'The words of `invoice_status`; null where there are none.',
  refundStatuses: "The words of a refund's `status`.",
  charges: 'The columns of charges that the merchant bears.',
  groups: 'Groups of merchants that it is in, by name.',
  since: 'Since when the registry says so, as far as the lake knows. [ISO 8601, UTC]',
  until: 'Until when it said so; null where it still does. [ISO 8601, UTC]',
};

export const CHANGE_MEANINGS: Record<keyof ChangeMarker, string> = {
  day: 'The day of the page that was about to change. [YYYY-MM-DD]',
  what: '`days`: a sealed revision was about to be added; `mail`: a ledger of the day was about to change.',
  notedAt:
    'When the ten minutes of the marker begin. The change itself is written at most 25 minutes later. [ISO 8601, UTC]',
};

export const LEDGER_MEANINGS: Record<Exclude<keyof Ledger, 'says' | 'tells'>, string> = {
  key: "The ledger's own key.",
  status:
    'One word for all recipients: intended, accepted, delivered, bounced, complained, failed, skipped or held. If all recipients of a round have the mail, it is accepted or delivered. If not, it is the most urgent status of a recipient in the newest round.',
  kind: 'report or correction.',
  corrects: 'For a correction: the revision whose mail it corrects. null for a report.',
  figures: 'What the mail told. [JSON object]',
  alerts: 'What an alert mail says about each rule; null for a report.',
  intendedAt: 'When a run first wanted to mail. [ISO 8601, UTC]',
  until: "When the writing run's time is over. [ISO 8601, UTC]",
  writer: 'The run that may write.',
  round: '1 for the mail of the revision; each resend begins the next.',
  partial:
    'The rounds that were for some recipients only, with the SHA-256 of their addresses, and of those who were no recipients any more (`former`); every other round was for all.',
  reason: 'Why there is no mail, where there is none.',
  nothingToSend:
    'Why the revision was not to be mailed by itself, whatever a resend did later; null where it was.',
  recipients:
    'What became of the mail, recipient by recipient and round by round; `to` is the SHA-256 of the address, `tries` how often SES got a mail that it refused.',
};

/** The same members of the ledger of a statement or of a group's page. */
export const STATEMENT_LEDGER_MEANINGS: Record<Exclude<keyof Ledger, 'says' | 'tells'>, string> = {
  ...LEDGER_MEANINGS,
  kind: "statement or correction; of a group's page: group.",
  corrects: 'For a correction: the revision whose mail it corrects. null for any other mail.',
  figures: 'What the mail told; null for a group. [JSON object]',
  alerts: 'What an alert mail says about each rule; null here.',
};

/** The meanings of the members that Daybook puts before the service's own in every row. */
export const OWN_MEANINGS: Record<(typeof OWN_COLUMNS)[number], string> = {
  _merchant_code: 'The merchant whose page the row is on.',
  _day: "The day of the page, a date in the merchant's own zone. [YYYY-MM-DD]",
  _query_type: 'The `invoiceType` that was asked for; null for refunds.',
};

const AMOUNT = "amount in the merchant's currency, three fraction digits";
const MOMENT = "YYYY-MM-DD HH:MM:SS, in the service's own zone, which the contract does not say";
const NOT_SHOWN = 'The contract does not show its type or meaning; null for an unpaid invoice.';

/** The meanings of the contract's members of an invoice, by path. Where the contract gives no meaning, there is no guess. */
export const INVOICE_MEANINGS: Record<string, string> = {
  id: 'Identifies the invoice at the service.',
  invoice_type: '1 single, 0 subscription, 6 split, 7 installment.',
  invoice_sub_type: 'Values not shown.',
  order_drop_id: 'Not explained.',
  token: "The invoice's token.",
  access_key: 'Access key of the invoice.',
  split_access_key: 'Access key of a split invoice; empty when not applicable.',
  merchant_id: "The service's own id of the merchant; not the merchant code.",
  reference_number: 'Reference number of the invoice.',
  amount: `What is to be paid. [${AMOUNT}]`,
  admin_charge: `Administration charge. [${AMOUNT}]`,
  service_charge: `Service charge. [${AMOUNT}]`,
  subscription: 'Values not shown.',
  discount: `Discount. [${AMOUNT}]`,
  description: 'Free text. People may be named in it.',
  sms_response: 'Text that holds a JSON object.',
  invoice_status: "Values not shown; the registry's `invoiceStatuses` says what they are.",
  payment_method: 'The methods offered.',
  sms_status: 'Values not shown.',
  url_status: 'Values not shown.',
  visited_count: 'How often the payment link was visited. [count]',
  country_id: 'Country, by id.',
  created_id: 'Not explained.',
  language: 'Language code.',
  expires_at: 'When the invoice expires. [YYYY-MM-DD]',
  url: 'Payment link.',
  spliturl: 'Payment link of a split invoice.',
  created_at: `When it was created. [${MOMENT}]`,
  updated_at: `When it was last changed. [${MOMENT}]`,
  rentperiod: 'Null or unspecified.',
  transaction: 'How it was paid; all members are null for an unpaid invoice.',
  'transaction.payment_type_id': NOT_SHOWN,
  'transaction.payment_id': NOT_SHOWN,
  'transaction.post_date': NOT_SHOWN,
  'transaction.result_code': NOT_SHOWN,
  'transaction.track_id': NOT_SHOWN,
  'transaction.transaction_id': NOT_SHOWN,
  'transaction.reference_number': NOT_SHOWN,
  'transaction.payment_type': NOT_SHOWN,
  'transaction.paid_on': NOT_SHOWN,
  'transaction.Auth': NOT_SHOWN,
  'transaction.Amount': NOT_SHOWN,
  'transaction.admin_charge': NOT_SHOWN,
  customer: 'Who is to pay.',
  'customer.name': 'Name of the customer.',
  'customer.email': 'Mail address of the customer.',
  'customer.phone_number': 'Phone number of the customer.',
  created_by_merchant: 'Who created it.',
  'created_by_merchant.id': 'Id of the creator.',
  'created_by_merchant.name': 'Name of the creator.',
  products: 'May be empty; the shape of an element is not shown. [JSON array]',
};

/** The meanings of the contract's members of a refund, by path. Where the contract gives no meaning, there is no guess. */
export const REFUND_MEANINGS: Record<string, string> = {
  id: 'Refund identifier.',
  merchant_id: "The service's own id of the merchant; not the merchant code.",
  amount: `What is refunded. [${AMOUNT}]`,
  refund_at: 'The date of the refund; refunds are counted by it. [YYYY-MM-DD]',
  document_number: 'May be empty.',
  token: "The refund's token.",
  transaction_date: `When the transaction refunded took place: the sale. [${MOMENT}]`,
  order_reference_number: 'Reference number of the order.',
  recover_method: 'Values not shown.',
  status: "Values not shown; the registry's `refunds.statuses` names them.",
  refund_method: 'Values not shown.',
  remarks: 'Free text. People may be named in it.',
  approved_by: 'Who approved it; empty while nobody has.',
  total_balance_amount: `Balance of the transaction refunded. [${AMOUNT}]`,
  total_refunded_amount: `Refunded so far of that transaction. [${AMOUNT}]`,
  total_transaction_amount: `Amount of that transaction. [${AMOUNT}]`,
  created_at: `When the refund was created. [${MOMENT}]`,
  updated_at: `When it was last changed. [${MOMENT}]`,
  transaction: 'The payment transaction refunded.',
  'transaction.id': 'Identifies the transaction.',
  'transaction.amount':
    "A JSON number, passed through: take no total from it. [number in the merchant's currency, not exact]",
  'transaction.admin_charge':
    "A JSON number, passed through: take no total from it. [number in the merchant's currency, not exact]",
  'transaction.token': "The transaction's token.",
  'transaction.payment_id': 'Id of the payment service used.',
  'transaction.payment_name': 'Name of it.',
  'transaction.display_name': 'Name of it as shown to people.',
  'transaction.track_id': 'Track id.',
  'transaction.transaction_id': 'Transaction id as text.',
  'transaction.service_id': 'Not explained.',
  'transaction.auth': 'Authorisation.',
  'transaction.status': 'Values not shown.',
  'transaction.created_at': `When the transaction was created. [${MOMENT}]`,
};
