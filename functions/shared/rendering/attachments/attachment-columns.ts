/**
 * The fields of an invoice that merchants see. No other field gets into a mail: a new field of the service, a
 * payment link, an access key or a token. `state` is the registry's name of the status before it. `holds` and
 * `width` (characters) are for workbooks. Times are texts there too, because their zone is unknown.
 */
export const ATTACHMENT_COLUMNS = [
  { name: 'id', path: ['id'], holds: 'integer', width: 14 },
  { name: 'type', path: ['invoice_type'], holds: 'integer', width: 12 },
  { name: 'reference', path: ['reference_number'], holds: 'text', width: 22 },
  { name: 'status', path: ['invoice_status'], holds: 'integer', width: 15 },
  { name: 'state', path: [], holds: 'text', width: 12 },
  { name: 'amount', path: ['amount'], holds: 'amount', width: 14 },
  { name: 'adminCharge', path: ['admin_charge'], holds: 'amount', width: 14 },
  { name: 'serviceCharge', path: ['service_charge'], holds: 'amount', width: 14 },
  { name: 'discount', path: ['discount'], holds: 'amount', width: 14 },
  { name: 'paymentMethod', path: ['payment_method'], holds: 'text', width: 18 },
  { name: 'customerName', path: ['customer', 'name'], holds: 'text', width: 26 },
  { name: 'customerEmail', path: ['customer', 'email'], holds: 'text', width: 28 },
  { name: 'customerPhone', path: ['customer', 'phone_number'], holds: 'text', width: 16 },
  { name: 'description', path: ['description'], holds: 'text', width: 40 },
  { name: 'createdAt', path: ['created_at'], holds: 'text', width: 20 },
  { name: 'updatedAt', path: ['updated_at'], holds: 'text', width: 20 },
  { name: 'expiresAt', path: ['expires_at'], holds: 'text', width: 12 },
  { name: 'paymentId', path: ['transaction', 'payment_id'], holds: 'integer', width: 18 },
  { name: 'transactionId', path: ['transaction', 'transaction_id'], holds: 'text', width: 22 },
  { name: 'paidOn', path: ['transaction', 'paid_on'], holds: 'text', width: 20 },
] as const;
