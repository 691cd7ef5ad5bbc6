import type { Meaning } from '../lake-column.ts';

const AMOUNT = "amount in the merchant's currency, three fraction digits";
const MOMENT = "YYYY-MM-DD HH:MM:SS, in the service's own zone, which the contract does not say";

/** The meanings of the contract's members of a refund, by path. Where the contract gives no meaning, there is no guess. */
export const REFUND_MEANINGS: Record<string, Meaning> = {
  id: { meaning: 'Refund identifier.' },
  merchant_id: { meaning: "The service's own id of the merchant; not the merchant code." },
  amount: { meaning: 'What is refunded.', unit: AMOUNT },
  refund_at: { meaning: 'The date of the refund; refunds are counted by it.', unit: 'YYYY-MM-DD' },
  document_number: { meaning: 'May be empty.' },
  token: { meaning: "The refund's token.", personal: true },
  transaction_date: {
    meaning: 'When the transaction refunded took place: the sale.',
    unit: MOMENT,
  },
  order_reference_number: { meaning: 'Reference number of the order.' },
  recover_method: { meaning: 'Values not shown.' },
  status: { meaning: "Values not shown; the registry's `refunds.statuses` names them." },
  refund_method: { meaning: 'Values not shown.' },
  remarks: { meaning: 'Free text. People may be named in it.', personal: true },
  approved_by: { meaning: 'Who approved it; empty while nobody has.', personal: true },
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
  'transaction.token': { meaning: "The transaction's token.", personal: true },
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
