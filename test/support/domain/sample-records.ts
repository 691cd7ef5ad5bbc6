/** An unpaid invoice as the service sends it, with every member of the contract. */
export function invoiceRecord(change: Record<string, unknown> = {}): Record<string, unknown> {
  return {
    id: 501,
    invoice_type: 1,
    invoice_sub_type: 0,
    order_drop_id: 0,
    token: 'TOKEN501',
    access_key: 'ACCESS',
    split_access_key: '',
    merchant_id: '1084',
    reference_number: 'INV-501',
    amount: '12.500',
    admin_charge: '0.150',
    service_charge: '0.000',
    subscription: 0,
    discount: '0.000',
    description: 'two coffees',
    sms_response: '{"result":true}',
    invoice_status: 0,
    payment_method: ['1', '2'],
    sms_status: 1,
    url_status: 1,
    visited_count: 0,
    country_id: 1,
    created_id: 3,
    language: 'ar',
    expires_at: '2026-11-25',
    url: 'https://pay.example.com/invoice/TOKEN501',
    spliturl: null,
    created_at: '2026-11-20 10:00:00',
    updated_at: '2026-11-20 10:00:00',
    rentperiod: null,
    transaction: {
      payment_type_id: null,
      payment_id: null,
      post_date: null,
      result_code: null,
      track_id: null,
      transaction_id: null,
      reference_number: null,
      payment_type: null,
      paid_on: null,
      Auth: null,
      Amount: null,
      admin_charge: null,
    },
    customer: { name: 'نورة', email: 'n@example.com', phone_number: '50000000' },
    created_by_merchant: { id: 1084, name: 'Cafe' },
    products: [],
    ...change,
  };
}

/** An approved refund as the service sends it, with every member of the contract. */
export function refundRecord(change: Record<string, unknown> = {}): Record<string, unknown> {
  return {
    id: 1400,
    merchant_id: 84,
    amount: '650.000',
    refund_at: '2026-11-20',
    document_number: '',
    token: 'TOKEN1400',
    transaction_date: '2026-11-18 09:30:00',
    order_reference_number: 'ORD-1',
    recover_method: '1',
    status: 1,
    refund_method: '1',
    remarks: 'Auto Refund Approved',
    approved_by: 'Admin',
    total_balance_amount: '0.000',
    total_refunded_amount: '650.000',
    total_transaction_amount: '650.000',
    created_at: '2026-11-20 12:00:00',
    updated_at: '2026-11-20 12:05:00',
    transaction: {
      id: 77,
      amount: 650.25,
      admin_charge: 0.15,
      token: 'TOKEN1400',
      payment_id: 1,
      payment_name: 'KNET',
      display_name: 'KNET',
      track_id: '123',
      transaction_id: '456',
      service_id: 1,
      auth: 'B12345',
      status: 1,
      created_at: '2026-11-18 09:30:00',
    },
    ...change,
  };
}

/** The same value with the members of every object the other way round. */
export function reversed(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(reversed);
  if (typeof value !== 'object' || value === null || JSON.isRawJSON(value)) return value;
  return Object.fromEntries(
    Object.entries(value)
      .reverse()
      .map(([name, member]) => [name, reversed(member)]),
  );
}
