import { gzipSync } from 'node:zlib';
import { Cipher } from '#service/envelope/cipher.ts';
import { invoiceRecord } from '../records/records.ts';

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

/** What is asked for: a page of the invoice list, of the refund list, or a refund. */
export interface Asked {
  resource: 'invoices' | 'refunds' | 'refund';
  page: number;
}

/** Answers of about so many bytes in all. */
export type Shape = (bytes: number, asked: Asked) => Served;

const plain = (text: string): Served => ({ body: Buffer.from(text) });
const cipher = new Cipher(CIPHER);
const sealed = (hex: string): Served => plain(`{"status":true,"response":"${hex}"}`);

const NO_INVOICES = plain(invoicePage('', { total: 0 }));
const NO_REFUNDS = plain('{"status":true,"response":{"refund_request_list":{"data":[]}}}');
const NO_REFUND = plain('{"status":false,"message":"Request not found","response":null}');

/** A shape of the invoice list; there are no refunds. */
function ofInvoices(text: (bytes: number) => string | Served): Shape {
  return (bytes, { resource }) => {
    if (resource !== 'invoices') return NO_REFUNDS;
    const served = text(bytes);
    return typeof served === 'string' ? plain(served) : served;
  };
}

const ofData = (data: (bytes: number) => string) => ofInvoices((bytes) => invoicePage(data(bytes)));
const ofRecords = (make: (index: number) => string) => ofData((bytes) => listed(make, bytes));
/** A shape of the list of records in an encrypted answer. Its ciphertext has two digits a byte. */
const ofSealed = (data: (bytes: number) => string) =>
  ofInvoices((bytes) => sealed(cipher.encrypt(invoicePage(data(bytes / 2)))));
const ofSealedRecords = (make: (index: number) => string) => ofSealed((bytes) => listed(make, bytes));
/** A shape of the value of a member that the contract does not know, in the one invoice of the page. */
const ofMember = (value: (bytes: number) => string) =>
  ofData((bytes) => invoice(1, `"more":${value(bytes)},`));
/** A shape of the value of a member of the contract, in the one invoice of the page. */
const ofField = (name: string, value: (bytes: number) => string) =>
  ofData((bytes) => invoiceWith(name, value(bytes)));
const ofList = (unit: string) => ofMember((bytes) => `[${listOf(unit, bytes)}]`);
const ofString = (unit: string) =>
  ofMember((bytes) => `"${unit.repeat(Math.floor(bytes / Buffer.byteLength(unit)))}"`);

/** A shape of the refund list; there are no invoices. */
function ofRefunds(data: (bytes: number) => string): Shape {
  return (bytes, { resource }) => {
    if (resource === 'invoices') return NO_INVOICES;
    if (resource === 'refund') return NO_REFUND;
    const list = { data: [], pagination: { current_page: 1, total_pages: 1 } };
    const around = JSON.stringify({ status: true, response: { stats: null, refund_request_list: list } });
    return plain(around.replace('"data":[]', () => `"data":[${data(bytes)}]`));
  };
}

const deep = (levels: number) => '['.repeat(levels) + ']'.repeat(levels);
const LARGE = '12345678901234567890';
const ordinary = (bytes: number) => listed((index) => invoice(index + 1), bytes);
/** A page of one record each; a record is of some kilobytes, so that requests are not what is measured. */
const ONE_ROW = 16 * 1024;

export const ORDINARY: Shape = ofData(ordinary);

export const SHAPES: Record<string, Shape> = {
  'arrays that never end': ofMember((bytes) => deep(bytes / 2)),
  'arrays of ninety levels': ofList(deep(90)),
  'objects of ninety levels': ofList(`${'{"a":'.repeat(90)}0${'}'.repeat(90)}`),
  'one object of many names': ofMember((bytes) => `{${listed((index) => `"n${index}":0`, bytes)}}`),
  'objects of nine hundred names': ofMember((bytes) => `[${objectsOf(900, (index) => `n${index}`, bytes)}]`),
  'objects of one new name each': ofMember((bytes) => `[${objectsOf(1, (index) => `n${index}`, bytes)}]`),
  'names that differ by case, in one object': ofMember(
    (bytes) => `{${listed((index) => `"${inOtherCase(index % 4096)}${index >> 12}":0`, bytes)}}`,
  ),
  'names that differ by case, in many objects': ofMember(
    (bytes) => `[${objectsOf(900, (index) => inOtherCase(index % 4096), bytes)}]`,
  ),
  // As many as a record may have. Which names are equal in lower case differs in each object, and so do their numbers.
  'a hundred names that differ by case, in many objects': ofMember(
    (bytes) => `[${objectsOf(90, (index) => inOtherCase(index % 100), bytes)}]`,
  ),
  'names that differ by case, in records': ofRecords((index) =>
    invoice(index, `${Array.from({ length: 900 }, (_, at) => `"${inOtherCase(at)}":0`).join(',')},`),
  ),
  'names that are numbers': ofMember((bytes) => `[${objectsOf(900, (index) => `${index * 7919}`, bytes)}]`),
  'a name as long as the page': ofData((bytes) => invoice(1, `"${'n'.repeat(bytes)}":0,`)),
  'a long name around many names': ofData((bytes) =>
    invoice(
      1,
      `"${'n'.repeat(bytes / 2)}":[${objectsOf(900, (index) => inOtherCase(index % 4096), bytes / 2)}],`,
    ),
  ),
  '__proto__ in many objects': ofList('{"__proto__":{"a":0}}'),
  '__proto__ in records': ofRecords((index) => invoice(index, '"__proto__":{"id":7,"B":0,"b":0},')),
  'a name twice in every record': ofRecords((index) => invoice(index, '"amount":"0.001",')),
  'one name over and over': ofMember((bytes) => `{${listOf('"n":0', bytes)}}`),
  'a name twice in many objects': ofList('{"n":0,"n":1}'),
  'a new name in every record': ofRecords((index) => invoice(index, `"n${index}":{"A":0,"a":0},`)),
  'a new status in every record': ofRecords((index) =>
    invoice(index).replace('"invoice_status":0', `"invoice_status":${LARGE}${10_000_000 + index}`),
  ),
  'records of one id': ofData((bytes) => listOf(invoice(1), bytes)),
  'records of large ids': ofRecords((index) => invoice(`${LARGE}${index}`)),
  'empty objects': ofList('{}'),
  'empty arrays': ofList('[]'),
  'empty objects and a large integer': ofMember((bytes) => `[${LARGE},${listOf('{}', bytes)}]`),
  'empty arrays and a large integer': ofMember((bytes) => `[${LARGE},${listOf('[]', bytes)}]`),
  'empty texts': ofList('""'),
  'texts of one character': ofMember((bytes) => `[${listed((index) => `"${index.toString(36)}"`, bytes)}]`),
  nulls: ofList('null'),
  zeros: ofList('0'),
  'large integers': ofList(LARGE),
  'a number as long as the page': ofMember((bytes) => '7'.repeat(bytes)),
  'numbers with exponents': ofList('1.5e308'),
  'fractions of many digits': ofList('0.12345678901234567890'),
  'a text as long as the page': ofString('x'),
  'a text of escapes': ofString('\\u0041'),
  'a text of line breaks': ofString('\\n'),
  'a text of quotes': ofString('\\"'),
  'a text of backslashes': ofString('\\\\'),
  'a text of halves of characters': ofString('\\ud800'),
  'a text in Arabic': ofString('نورة '),
  'a text of the escape character of the lake': ofString('\uE000'),
  'a text of emoji': ofString('😀'),
  'empty objects for records': ofData((bytes) => listOf('{}', bytes)),
  'nulls for records': ofData((bytes) => listOf('null', bytes)),
  'a wrong list of payment methods': ofField('payment_method', (bytes) => `[${listOf('0', bytes)}]`),
  'products without end': ofField('products', (bytes) => `[${listOf('{"Z":1,"a":[]}', bytes)}]`),
  'a merchant id of zeros that ends in a letter': ofField(
    'merchant_id',
    (bytes) => `"${'0'.repeat(bytes)}x"`,
  ),
  'a merchant id of zeros': ofField('merchant_id', (bytes) => `"${'0'.repeat(bytes)}"`),
  'an amount of many digits': ofField('amount', (bytes) => `"${'1'.repeat(bytes)}.000"`),
  'blanks alone': ofInvoices((bytes) => ' '.repeat(bytes)),
  'blanks between values': ofMember((bytes) => `[0${' '.repeat(bytes)},${'\n'.repeat(100)}1]`),
  'commas alone': ofInvoices((bytes) => `[${','.repeat(bytes)}]`),
  'colons and blanks': ofInvoices((bytes) => `{${': '.repeat(bytes / 2)}}`),
  'quotes alone': ofInvoices((bytes) => `[${'"'.repeat(bytes)}`),
  'a page that is cut off': ofInvoices((bytes) => invoicePage(ordinary(bytes)).slice(0, -100)),
  'a page of HTML': ofInvoices((bytes) => `<html>${'<p class="a">{[</p>'.repeat(bytes / 19)}`),
  'a page behind a byte order mark': ofInvoices((bytes) => `\uFEFF${invoicePage(ordinary(bytes))}`),
  'a page with a name twice around it': ofInvoices((bytes) =>
    invoicePage(ordinary(bytes)).replace('"order_stats"', '"stats":{},"order_stats"'),
  ),
  'a sealed page': ofSealed(ordinary),
  'a sealed page of empty objects': ofSealed((bytes) => invoice(1, `"more":[${listOf('{}', bytes)}],`)),
  'a sealed page of numbers that are longer when they are printed': ofSealedRecords((index) =>
    invoice(index)
      .replaceAll(':null', `:[${listOf('1e20', 4_000)}]`)
      .replace(/"spliturl":[^\]]*\]/, '"spliturl":null'),
  ),
  'a sealed page of products': ofSealedRecords((index) =>
    invoice(index).replace('"products":[', `"products":[${listOf('{"b":1,"a":"\\n"}', 4_000)}`),
  ),
  'a sealed page of a text of quotes': ofSealed((bytes) =>
    invoiceWith('description', `"${'\\"'.repeat(bytes / 2)}\\n"`),
  ),
  'a sealed page of texts with an escape each': ofSealedRecords((index) =>
    invoice(index).replace('two coffees', 'a\\nb\\"'),
  ),
  'a sealed page of names that differ by case only': ofSealedRecords((index) =>
    invoice(index).replace(
      '"products":[',
      `"products":[${objectsOf(90, (at) => inOtherCase(at % 100), 900)}`,
    ),
  ),
  'a sealed page of texts in a list': ofSealed((bytes) =>
    invoiceWith('payment_method', `[${listOf('""', bytes)}]`),
  ),
  'ciphertext of an odd length': ofInvoices((bytes) => sealed('a'.repeat(bytes + 1))),
  'ciphertext with a letter too many': ofInvoices((bytes) => sealed(`${'a'.repeat(bytes)}xy`)),
  'ciphertext of another key': ofInvoices((bytes) => sealed('5a'.repeat(16 * Math.floor(bytes / 32)))),
  'zeros in gzip': ofInvoices((bytes) => ({
    body: gzipSync(Buffer.alloc(bytes)),
    headers: { 'content-encoding': 'gzip' },
  })),
  'empty objects in gzip': ofInvoices((bytes) => ({
    body: gzipSync(invoicePage(invoice(1, `"more":[${listOf('{}', bytes)}],`))),
    headers: { 'content-encoding': 'gzip' },
  })),
  // A chunk of one byte takes six on the wire.
  'chunks of one byte': ofInvoices((bytes) => ({
    body: Buffer.from(invoicePage(ordinary(bytes / 6))),
    chunk: 1,
  })),
  'the greatest allowed number of headers': ofInvoices((bytes) => ({
    body: Buffer.from(invoicePage(ordinary(bytes))),
    headers: Object.fromEntries(Array.from({ length: 400 }, (_, index) => [`x-${index}`, 'a'.repeat(20)])),
  })),
  'pages of one record': (bytes, { resource, page }) => {
    if (resource !== 'invoices') return NO_REFUNDS;
    const pages = Math.max(2, Math.floor(bytes / ONE_ROW));
    const text = `"more":"${'x'.repeat(ONE_ROW - 2_000)}",`;
    return plain(invoicePage(invoice(page, text), { total: pages, pages, page }));
  },
  'refunds of one id': ofRefunds((bytes) => listOf('{"id":1}', bytes)),
  'malformed refunds': ofRefunds((bytes) => listOf('{"id":"x"}', bytes)),
  'refunds with malformed merchant ids': ofRefunds((bytes) => listOf('{"id":1,"merchant_id":[]}', bytes)),
  'a mix of these shapes': ofData((bytes) =>
    [
      listed(
        (index) => invoice(index, `"N${index}":[{},[],null,${LARGE}],"n${index}":"\\ud800\\n",`),
        bytes / 2,
      ),
      invoice(
        -1,
        `"more":{"A":[${listOf('{"__proto__":[]}', bytes / 4)}],"a":"${'\\"'.repeat(bytes / 8)}"},`,
      ),
    ].join(','),
  ),
};
