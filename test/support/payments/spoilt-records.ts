import type { Table } from '#records/revision/manifest.ts';
import { Cipher } from '#service/envelope/cipher.ts';
import { sandboxMerchant, type PaymentsSandbox } from '#sandbox/payments/index.ts';
import { elementsOf, membersOf } from '#support/assertions/index.ts';
import { invoiceRecord, refundRecord } from '#support/records/records.ts';

/** Values in place of a member, with their kinds in the drift. `undefined`: the service leaves the member out. */
export const MISFIT_VALUES: readonly (readonly [name: string, value: unknown, kind: string])[] = [
  ['nothing', undefined, 'missing'],
  ['null', null, 'null'],
  ['an empty list', [], 'array'],
  ['an empty object', {}, 'object'],
  ['an empty text', '', 'empty string'],
  ['zero', 0, 'number'],
  ['a text', 'canary', 'string'],
  ['a number', 7.5, 'number'],
  ['a truth value', true, 'boolean'],
  ['a list of lists', [[{ key: ['canary'] }]], 'array'],
  ['an object of objects', { key: { key: ['canary'] } }, 'object'],
];

/** Every path of an object, with those of the objects in it. */
export function pathsOf(record: object, before: readonly string[] = []): string[][] {
  return Object.entries(record).flatMap(([name, value]: [string, unknown]) => {
    const path = [...before, name];
    const isObject = typeof value === 'object' && value !== null && !Array.isArray(value);
    return isObject ? [path, ...pathsOf(value, path)] : [path];
  });
}

export function withValue(
  record: Record<string, unknown>,
  [name = '', ...inner]: readonly string[],
  value: unknown,
): Record<string, unknown> {
  const member = record[name];
  const isObject = typeof member === 'object' && member !== null && !Array.isArray(member);
  const next = inner.length === 0 ? value : withValue(isObject ? { ...member } : {}, inner, value);
  const { [name]: _before, ...others } = record;
  return next === undefined ? others : { ...record, [name]: next };
}

const NEEDED = new Set(['id', 'merchant_id', 'amount', 'invoice_status', 'status']);
/** Every member of a record, and of the objects in it, without which a day is sealed. */
export const LENIENT_PATHS: Record<Table, string[][]> = {
  invoices: pathsOf(invoiceRecord()).filter(([first = '']) => !NEEDED.has(first)),
  refunds: pathsOf(refundRecord()).filter(([first = '']) => !NEEDED.has(first)),
};
const cipher = new Cipher(sandboxMerchant(0).cipher);

/** The value is in another member of each record: the first path in the first one. Returns the paths by the ids. */
export function spoilInvoices({ behaviour }: PaymentsSandbox, value: unknown): Map<number, string[]> {
  const spoilt = new Map<number, string[]>();
  const body = (text: string) => {
    const envelope = membersOf(JSON.parse(text));
    const list = membersOf(membersOf(envelope['response'])['invoices']);
    list['data'] = elementsOf(list['data']).map((item) => spoil('invoices', spoilt, item, value));
    return JSON.stringify(envelope);
  };
  behaviour.faults.add({ operation: 'invoices', times: Infinity, action: { kind: 'replace', body } });
  return spoilt;
}

export function spoilRefunds({ behaviour }: PaymentsSandbox, value: unknown): Map<number, string[]> {
  const spoilt = new Map<number, string[]>();
  const body = (text: string) => {
    const sent = String(membersOf(JSON.parse(text))['response']);
    const envelope = membersOf(JSON.parse(cipher.decrypt(sent)));
    envelope['response'] = spoil('refunds', spoilt, envelope['response'], value);
    return JSON.stringify({ response: cipher.encrypt(JSON.stringify(envelope)) });
  };
  behaviour.faults.add({ operation: 'refund', times: Infinity, action: { kind: 'replace', body } });
  return spoilt;
}

function spoil(table: Table, spoilt: Map<number, string[]>, item: unknown, value: unknown) {
  const record = membersOf(item);
  const id = Number(record['id']);
  const path = spoilt.get(id) ?? LENIENT_PATHS[table][spoilt.size];
  if (path === undefined) return record;
  spoilt.set(id, path);
  return withValue(record, path, value);
}
