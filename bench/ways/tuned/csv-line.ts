import type { Invoice } from './read-pages.ts';

/** The first line of the file. */
export const CSV_HEAD =
  '_merchant_code,_day,_query_type,id,invoice_type,invoice_sub_type,order_drop_id,token,access_key' +
  ',split_access_key,merchant_id,reference_number,amount,admin_charge,service_charge,subscription,discount' +
  ',description,sms_response,invoice_status,payment_method,sms_status,url_status,visited_count,country_id' +
  ',created_id,language,expires_at,url,spliturl,created_at,updated_at,rentperiod,transaction_payment_type_id' +
  ',transaction_payment_id,transaction_post_date,transaction_result_code,transaction_track_id' +
  ',transaction_transaction_id,transaction_reference_number,transaction_payment_type,transaction_paid_on' +
  ',transaction_Auth,transaction_Amount,transaction_admin_charge,customer_name,customer_email' +
  ',customer_phone_number,created_by_merchant_id,created_by_merchant_name,products\n';

const NOT_AS_IT_IS = /[",\r\n]/;

function cell(value: unknown): string {
  if (value === null || value === undefined) return '';
  if (typeof value === 'number') return String(value);
  const text = typeof value === 'string' ? value : JSON.stringify(value);
  if (!NOT_AS_IT_IS.test(text)) return text;
  return `"${text.replace(/\r\n|\r|\n/g, '\\n').replaceAll('"', '""')}"`;
}

/**
 * One invoice as a line of CSV, with its line end. The columns are written out, because that is the fastest way.
 *
 * @param own the cells before the invoice's own
 */
export function csvLine(own: string, row: Invoice): string {
  const { transaction, customer, created_by_merchant: by } = row;
  return (
    `${own},${cell(row.id)},${cell(row.invoice_type)},${cell(row.invoice_sub_type)},${cell(row.order_drop_id)}` +
    `,${cell(row.token)},${cell(row.access_key)},${cell(row.split_access_key)},${cell(row.merchant_id)}` +
    `,${cell(row.reference_number)},${cell(row.amount)},${cell(row.admin_charge)},${cell(row.service_charge)}` +
    `,${cell(row.subscription)},${cell(row.discount)},${cell(row.description)},${cell(row.sms_response)}` +
    `,${cell(row.invoice_status)},${cell(row.payment_method)},${cell(row.sms_status)},${cell(row.url_status)}` +
    `,${cell(row.visited_count)},${cell(row.country_id)},${cell(row.created_id)},${cell(row.language)}` +
    `,${cell(row.expires_at)},${cell(row.url)},${cell(row.spliturl)},${cell(row.created_at)}` +
    `,${cell(row.updated_at)},${cell(row.rentperiod)},${cell(transaction.payment_type_id)}` +
    `,${cell(transaction.payment_id)},${cell(transaction.post_date)},${cell(transaction.result_code)}` +
    `,${cell(transaction.track_id)},${cell(transaction.transaction_id)},${cell(transaction.reference_number)}` +
    `,${cell(transaction.payment_type)},${cell(transaction.paid_on)},${cell(transaction.Auth)}` +
    `,${cell(transaction.Amount)},${cell(transaction.admin_charge)},${cell(customer.name)}` +
    `,${cell(customer.email)},${cell(customer.phone_number)},${cell(by.id)},${cell(by.name)}` +
    `,${cell(row.products)}\n`
  );
}
