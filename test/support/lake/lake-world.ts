import { DatabaseSync } from 'node:sqlite';
import { join } from 'node:path';
import * as z from 'zod';
import { defined, membersOf } from '#support/assertions/index.ts';
import { newDirectory } from '#support/machine.ts';
import { CODE, DAY, DaybookWorld } from '../world/daybook-world.ts';
import { mailEventsOf, sesEvent, type Sample } from '../mail-events/running-mail-events.ts';

/**
 * Texts that break readers of CSV or JSON, and statements that are put together without care. Each comes back from the lake unchanged, except for the rules of the CSV.
 */
export const HOSTILE_TEXTS: Record<string, string> = {
  quotes: '"',
  'quotes and commas': 'a "quoted", word',
  'a quote, a comma, a quote': '","',
  'quotes at both ends': '""both""',
  backslashes: '\\',
  'a backslash before a quote': 'C:\\new\\"table"\\',
  'line breaks': 'one\ntwo\r\nthree\rfour',
  'a backslash and n': 'one\\ntwo',
  separators: 'one\u2028two\u2029three\u0085four\u000bfive\u000csix',
  'Arabic, right to left': 'فاتورة \u202eرقم\u202c ٣',
  emoji: '👩‍👩‍👧‍👦🇰🇼',
  'the escape character': 'a\uE000"b\uE000\uE000',
  'control characters': 'a\u0001\u001f\tb\u007f',
  'a null character': 'a\u0000b',
  'JSON inside': '{"a":[1,"two"],"A":null}',
  'a number': '00123.4500',
  'the word null': 'null',
  'the null of Hive': '\\N',
  'a comment': '-- /* # //',
  'the end of a text of SQL': "it's', '1'='1'); DELETE FROM invoices_history; --",
  brackets: '[](){}<>${day}%s?;`',
  'names of columns': 'day, "merchant_code", t.customer_name, "$path"',
  'spaces around': '  padded  ',
  'nothing but a space': ' ',
  empty: '',
  long: `${'x,"y"\\'.repeat(4_000)}end`,
};

const KINDS = z.enum(['invoice', 'refund']);

/** A record as the payment service's own database has it, its numbers as the digits that are served. */
export interface StoredRecord {
  kind: z.infer<typeof KINDS>;
  merchantCode: string;
  day: string;
  record: Record<string, unknown>;
}

/** A number as its digits, so that no digit is lost. */
export function digits(_name: string, value: unknown, { source }: { source?: string }): unknown {
  return typeof value === 'number' ? new Digits(defined(source)) : value;
}

export class Digits {
  readonly text: string;
  constructor(text: string) {
    this.text = text;
  }
  toJSON(): unknown {
    return JSON.rawJSON(this.text);
  }
}

/** Every record in the file, read by SQLite and not by the sandbox. */
export function storedRecords(file: string): StoredRecord[] {
  const database = new DatabaseSync(file, { readOnly: true });
  const rows = database.prepare('SELECT kind, merchant, day, record FROM records ORDER BY seq').all();
  database.close();
  return rows.map((row) => ({
    kind: KINDS.parse(row['kind']),
    merchantCode: String(row['merchant']),
    day: String(row['day']),
    record: membersOf(JSON.parse(String(row['record']), digits)),
  }));
}

export const DAY_BEFORE = '2026-11-19';
/** What `current_date` says. */
export const TODAY = '2026-11-22';
export const SECOND = '700002';
export const THIRD = '700003';
const MERCHANTS = [CODE, SECOND, THIRD];

/** Extra members. Some are equal to the contract's members or to one another in lower case. */
const DRIFT = {
  Amount: 'not the amount',
  AMOUNT: 12.5,
  Token: { Deep: 1, deep: 2, DEEP: [{ a: 1, A: 2 }] },
  loyalty: { tiers: [1, { a: null }] },
  _DAY: 'not the day',
};

/** The lake that a few days of Daybook leave. */
export type LakeWorld = Awaited<ReturnType<typeof startLakeWorld>>;

function addHostileRecords({ data }: DaybookWorld['payments']): void {
  for (const text of Object.values(HOSTILE_TEXTS)) {
    data.insertInvoice(CODE, DAY, {
      description: text,
      reference_number: text,
      sms_response: text,
      customer: { name: text, email: 'a@example.com', phone_number: text },
      payment_method: [text, '1'],
      products: [{ z: text, a: [text] }],
      rentperiod: { months: text },
    });
    data.insertRefund(CODE, DAY, { remarks: text, document_number: text });
  }
  data.insertInvoice(CODE, DAY, {
    rawJson: { visited_count: '9007199254740993', order_drop_id: '-9223372036854775808' },
    amount: '990000000000000.001',
    discount: '-0.001',
    // Not dates, though the contract's pattern fits.
    expires_at: '0000-00-00',
    updated_at: '2026-02-31 00:00:00',
    rentperiod: 7.25,
  });
  // 16 digits before the point, and the 30 that the contract's pattern admits.
  data.insertInvoice(CODE, DAY, {
    amount: '1234567890123456.789',
    discount: '999999999999999999999999999999.999',
  });
  data.insertRefund(CODE, DAY, { amount: '100000000000000000000000000000.001' });
}

/** A pull that dies after its upload and before its seal. Its files are not data. */
async function crashBeforeTheSeal(world: DaybookWorld, merchantCode: string): Promise<void> {
  world.awsDoes(
    { kind: 'error', status: 403, code: 'AccessDenied' },
    { service: 's3', operation: 'PutObject', key: /^days\// },
  );
  await world.report({ merchantCode }).then(
    () => {
      throw new Error('it was to crash');
    },
    () => undefined,
  );
}

/** Sends an event of SES about the last mail of a merchant. */
async function notifyOfMail(world: DaybookWorld, merchantCode: string, sample: Sample): Promise<void> {
  const mail = world.mails().findLast(({ tags }) => tags['merchant'] === merchantCode);
  await mailEventsOf(world)(await sesEvent(sample, mail));
}

const PAID_TWICE = {
  amount: '8.500',
  invoice_status: 1,
  reference_number: 'R-twice',
  customer: { name: 'Noura', email: '', phone_number: '96555500001' },
};

/** Runs Daybook over two days of three merchants, with all that may happen. */
export async function startLakeWorld() {
  const database = join(newDirectory(), 'payments.sqlite');
  const world = await DaybookWorld.start({
    merchants: MERCHANTS.length,
    database,
    perPage: 50,
    // Each changed day has a mail of its own.
    defaults: { corrections: 'each', charges: ['admin_charge', 'service_charge'] },
  });
  const { data, behaviour } = world.payments;
  for (const merchantCode of MERCHANTS) {
    for (const day of [DAY_BEFORE, DAY]) data.seedDay(merchantCode, day, { invoices: 60, refunds: 8 });
  }
  // One payment that was perhaps made twice, on two days.
  for (const day of [DAY_BEFORE, DAY]) data.insertInvoice(SECOND, day, PAID_TWICE);
  // Its link has ended when the day is read.
  data.insertInvoice(SECOND, DAY_BEFORE, { amount: '3.250', invoice_status: 0, expires_at: DAY_BEFORE });
  addHostileRecords(world.payments);
  const corrected = data.insertRefund(CODE, DAY, { amount: '10.000', transaction_date: `${DAY} 08:00:00` });
  const earlier = storedRecords(database);

  await world.report();
  await world.report({ day: DAY_BEFORE });
  await world.report({ merchantCode: SECOND, day: DAY_BEFORE, send: false });
  await crashBeforeTheSeal(world, SECOND);
  data.evolve(SECOND, DAY);
  await world.report({ merchantCode: SECOND });
  await notifyOfMail(world, SECOND, 'bounced-permanent');
  behaviour.extraInvoiceFields = DRIFT;
  behaviour.extraRefundFields = { transaction_Date: 'not the date' };
  await world.report({ merchantCode: THIRD });
  await notifyOfMail(world, THIRD, 'delivered');
  behaviour.extraInvoiceFields = {};
  behaviour.extraRefundFields = {};
  behaviour.wrongStats = { total: 1 };
  await world.report({ merchantCode: THIRD, day: DAY_BEFORE });
  behaviour.wrongStats = {};

  // Two later revisions of one day.
  data.evolve(CODE, DAY);
  await world.report({ scheduledTime: '2026-11-21T06:00:00+03:00' });
  data.updateRefund(CODE, corrected, { status: 1, amount: '7.250' });
  await world.report();
  data.updateInvoice(CODE, data.insertInvoice(CODE, DAY_BEFORE), { description: 'late' });
  await world.report({ day: DAY_BEFORE });

  return {
    world,
    /** What the payment service has in the end; the newest revisions say the same. */
    truth: storedRecords(database),
    /** What it had when the first revisions were sealed. */
    earlier,
    close: () => world.close(),
  };
}
