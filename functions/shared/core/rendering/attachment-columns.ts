/**
 * What merchants get to see of an invoice, and nothing else: a field that the service adds, a payment link, an
 * access key or a token never gets into a mail. `state` is the registry's word for the status before it.
 */
export const ATTACHMENT_COLUMNS = [
  { name: 'id', path: ['id'] },
  { name: 'type', path: ['invoice_type'] },
  { name: 'reference', path: ['reference_number'] },
  { name: 'status', path: ['invoice_status'] },
  { name: 'state', path: [] },
  { name: 'amount', path: ['amount'] },
  { name: 'adminCharge', path: ['admin_charge'] },
  { name: 'serviceCharge', path: ['service_charge'] },
  { name: 'discount', path: ['discount'] },
  { name: 'paymentMethod', path: ['payment_method'] },
  { name: 'customerName', path: ['customer', 'name'] },
  { name: 'customerEmail', path: ['customer', 'email'] },
  { name: 'customerPhone', path: ['customer', 'phone_number'] },
  { name: 'description', path: ['description'] },
  { name: 'createdAt', path: ['created_at'] },
  { name: 'updatedAt', path: ['updated_at'] },
  { name: 'expiresAt', path: ['expires_at'] },
  { name: 'paymentId', path: ['transaction', 'payment_id'] },
  { name: 'transactionId', path: ['transaction', 'transaction_id'] },
  { name: 'paidOn', path: ['transaction', 'paid_on'] },
] as const;
