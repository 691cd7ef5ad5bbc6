import { invoiceRecord } from '../domain/sample-records.ts';

/** The cipher of the merchant who is pulled. */
export const CIPHER = { algorithm: 'aes-256-cbc' as const, key: 'k'.repeat(32), iv: 'i'.repeat(16) };

export interface Served {
  body: Buffer;
  headers?: Record<string, string>;
  /** Bytes a chunk; left out, the body is sent at once. */
  chunk?: number;
}

const COUNTS = { invoice_paid: '0', invoice_cancelled: '0' };

/** One page of the invoice list around a text that stands for the list of its records. */
export function invoicePage(data: string, { total = 1, pages = 1, page = 1 } = {}): string {
  const around = JSON.stringify({
    status: true,
    response: {
      stats: { total_invoice_count: total, invoice_not_paid: total, ...COUNTS },
      order_stats: { total_invoice_count: 0, invoice_not_paid: null, ...COUNTS },
      invoices: {
        data: [],
        pagination: {
          total,
          count: 1,
          per_page: 1,
          current_page: page,
          total_pages: pages,
          page_url: '',
          next_page_url: null,
          previous_page_url: null,
        },
      },
    },
  });
  return around.replace('"data":[]', () => `"data":[${data}]`);
}

const RECORD = JSON.stringify(invoiceRecord({ id: 0 })).slice('{"id":0,'.length);

/** An invoice; `inside` is the text of further members, each with a comma behind it. */
export function invoice(id: number | string, inside = ''): string {
  return `{"id":${id},${inside}${RECORD}`;
}

export function invoiceWith(name: string, value: string): string {
  const own = JSON.stringify(invoiceRecord()[name]);
  return invoice(1).replace(`"${name}":${own}`, () => `"${name}":${value}`);
}

/** The text over and over, with commas between, of so many bytes. */
export function listOf(text: string, bytes: number): string {
  return `${text},`.repeat(Math.max(1, Math.floor(bytes / (Buffer.byteLength(text) + 1)))).slice(0, -1);
}

/** Texts made one after another, with commas between, of so many bytes. */
export function listed(make: (index: number) => string, bytes: number): string {
  const texts: string[] = [];
  for (let length = 0, index = 0; length < bytes; index += 1) {
    const text = make(index);
    texts.push(text);
    length += text.length + 1;
  }
  return texts.join(',');
}

/** Objects of so many members each; `name` gets the place of the member among all. */
export function objectsOf(members: number, name: (index: number) => string, bytes: number): string {
  const one = (object: number) => {
    const inside = Array.from(
      { length: members },
      (_, index) => `${JSON.stringify(name(object * members + index))}:0`,
    );
    return `{${inside.join(',')}}`;
  };
  return listed(one, bytes);
}

/** The name in one of its ways to be written large and small, another one for each index below 4,096. */
export function inOtherCase(index: number): string {
  return Array.from('abcdefghijkl')
    .map((letter, place) => ((index >> place) & 1 ? letter.toUpperCase() : letter))
    .join('');
}
