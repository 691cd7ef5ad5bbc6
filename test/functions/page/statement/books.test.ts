import { fileURLToPath } from 'node:url';
import { execFile } from 'node:child_process';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import * as z from 'zod';
import { TestRunner } from 'vitest';
import { formatAmount, parseSum } from '#records/money/money.ts';
import type { Manifest } from '#records/revision/manifest.ts';
import { bookedDay } from '#page/page-books.ts';
import type { StatementSettings } from '#registry/statement-settings.ts';
import { BOOK_LAYOUTS, type BookLayout } from '#registry/registry-schema.ts';
import { UnavailableError } from '#sandbox/outside-program.ts';
import { pythonEnvironment } from '#sandbox/python-environment.ts';
import { defined } from '#support/assertions/index.ts';
import { paymentsOf } from '#support/records/records.ts';
import { placedManifest } from '#support/records/manifests.ts';
import { MAY_SKIP, newDirectory } from '#support/machine.ts';
import { attachmentBytes } from '#support/readers/mail-source.ts';
import { sealPage } from '#support/statement/statement-world.ts';
import { CODE, useWorld } from '#support/world/daybook-world.ts';
import {
  changeClosed,
  CLOSED,
  importFiles,
  Ledger,
  NEXT,
  paid,
  rowsOf,
  sealAt,
  stateOctober,
  tick,
} from './closing-steps.ts';

const world = useWorld();
/** The month that closes is sealed. */
const sealOctober = () => sealAt(world, '2026-11-01T05:00:00', CLOSED);
/** What the rows of the newest import file say. */
async function newest(which = ''): Promise<string[][]> {
  const rows = rowsOf(defined((await importFiles(world)).at(-1)).text);
  return rows.filter(({ Label }) => Label.includes(which)).map(({ Label, Amount }) => [Label, Amount]);
}
const register = (layout: BookLayout, others: Record<string, unknown> = {}) =>
  world.putRegistry({
    [CODE]: {
      statements: { monthly: { onDay: 1, at: '09:00' }, closeAfter: '15d' },
      books: { layout, daily: true },
      ...others,
    },
  });
const state = (period: string) => world.statement({ merchantCode: CODE, period });

/** Seals a day whose payments came in by one method. */
function revised(day: string, revision: number, sum: string, method = 'KNET'): Promise<Manifest> {
  const page = { ...placedManifest({ day, revision }), ...paid(sum) };
  const { received } = paymentsOf(page);
  const byMethod = [{ method, count: 6, amount: sum }];
  return sealPage(world, { ...page, received: { ...defined(received ?? undefined), byMethod } });
}

describe('the import file of a statement', () => {
  it.each(BOOK_LAYOUTS)('has the entries of each day and method as %s reads them', async (layout) => {
    await register(layout, { attachments: { paymentMethods: { KNET: '=K\u0007\uFFFE\uFFFFNET & <co>' } } });
    await sealOctober();
    await state(CLOSED);
    const { name, text } = defined((await importFiles(world))[0]);
    const [ending, lines] = layout === 'camt.053' ? ['xml', 56] : ['csv', 4];
    expect(name).toBe(`books-KWD-2026-10-r1-Al-Noor-Trading.${ending}`);
    const beginning = text.split(/\r?\n/).slice(0, lines).join('\n');
    const sameIds = beginning.replaceAll(/[0-9a-f]{32}/g, 'ID');
    expect(sameIds.replaceAll(/\d\d\.\d{3}Z/g, '00.000Z')).toMatchSnapshot();
    const { text: mail } = await world.lastMail('statement');
    expect(mail.replaceAll(/\s+/g, ' ')).toMatch(
      /An import file for your books is attached \(.*(Odoo|Zoho|Quick|Xero|camt)/,
    );
    expect(text).not.toContain('customer');
  });

  it('brings what changes of an open month with its correction, and of a closed one with the next', async () => {
    await register('odoo');
    const ledger = new Ledger();
    await stateOctober(world);
    // A refund that is decided later needs no correction for people. The books need it.
    await sealPage(world, { day: '2026-10-04', revision: 2, ...paid('60.000', { refunded: '6.500' }) });
    await tick(world, '2026-11-02T06:00:00');
    await tick(world, '2026-11-16T06:00:00');
    await changeClosed(world);
    const all = await importFiles(world);
    expect(all).toHaveLength(3);
    for (const file of [...all, ...all.toReversed()]) ledger.book(file);
    // 61 days of 60 less 5, and what changed.
    expect(ledger.sum()).toBe('3354.500');
    const changed = [...ledger.rows.values()].filter(({ Label }) => Label.includes('changed'));
    expect(changed.map(({ Date: on, Label, Amount }) => [on, Label, Amount])).toEqual([
      ['2026-11-01', 'Payments, changed, of 2026-10-05', '1.000'],
      ['2026-10-04', 'Refunds, changed', '-1.500'],
    ]);
  });

  it.each(['KWD', 'USD'])('brings a change of method alone of an open month, beside %s', async (currency) => {
    await register('odoo');
    await sealOctober();
    await sealPage(world, { day: '2026-10-07', currency });
    await revised('2026-10-05', 1, '60.000');
    await tick(world, '2026-11-01T06:00:00');
    await revised('2026-10-05', 2, '60.000', 'Visa');
    await tick(world, '2026-11-02T06:00:00');
    expect(await importFiles(world)).toHaveLength(currency === 'KWD' ? 2 : 3);
    expect(await newest()).toEqual([
      ['Payments KNET, changed', '-60.000'],
      ['Payments Visa, changed', '60.000'],
    ]);
  });

  it('brings a change of method alone of a closed month with the next change, and what was told not again', async () => {
    await register('odoo');
    await sealOctober();
    for (const [index, sum] of ['60.000', '61.000', '60.000'].entries())
      await revised('2026-10-05', index + 1, sum);
    await tick(world, '2026-11-01T06:00:00');
    await tick(world, '2026-11-16T06:00:00');
    await sealAt(world, '2026-12-01T05:00:00', NEXT);
    await revised('2026-10-05', 4, '60.000', 'Visa');
    await revised('2026-10-05', 5, '62.000', 'Visa');
    await tick(world, '2026-12-01T06:00:00');
    expect(await newest(', of ')).toEqual([
      ['Payments KNET, changed, of 2026-10-05', '-60.000'],
      ['Payments Visa, changed, of 2026-10-05', '60.000'],
      ['Payments Visa, changed, of 2026-10-05', '2.000'],
    ]);
  });

  it('is left out, and the mail says so, where it is larger than a mail may be', async () => {
    await register('odoo');
    await sealOctober();
    for (let revision = 1; revision <= 75; revision += 1)
      await revised('2026-10-05', revision, `${revision}.000`, 'x'.repeat(100_000));
    await state(CLOSED);
    expect(await importFiles(world)).toEqual([]);
    const { text } = await world.lastMail('statement');
    expect(text.replaceAll(/\s+/g, ' ')).toMatch(/The attachment \(CSV, \d+ rows\) is too large to send/);
  });

  it('of a day has no day of a closed statement: the next statement books it on its own date', () => {
    const told = ['2026-10-31', '2026-11-01'].map((day) => ({ day, from: 1, to: 2 }));
    const daysAt = (pulledAt: string, statements?: StatementSettings) => {
      const settings = { timeZone: 'Asia/Kuwait', weekStart: 'sunday', statements } as const;
      const page = placedManifest({ day: '2026-11-15', told, pulledAt });
      return bookedDay(page, settings).days.map(({ day }) => day);
    };
    const times = { waitFor: 0, correctFor: 0, monthly: { onDay: 1, at: '09:00' } };
    const closing = { ...times, closeAfter: 15 * 86_400_000 };
    const all = ['2026-11-15', '2026-10-31', '2026-11-01'];
    // The clock of the merchant is three hours ahead.
    expect(daysAt('2026-11-15T20:59:59.999Z', closing)).toEqual(all);
    expect(daysAt('2026-11-15T21:00:00.000Z', closing)).toEqual(['2026-11-15', '2026-11-01']);
    const weekly = { ...closing, weekly: { on: 'sunday', at: '09:00' } } as const;
    expect(daysAt('2026-11-29T21:00:00.000Z', weekly)).toEqual(['2026-11-15']);
    expect(daysAt('2027-11-15T21:00:00.000Z', times)).toEqual(all);
    expect(daysAt('2027-11-15T21:00:00.000Z')).toEqual(all);
  });

  it('comes with a report, too, where it is wanted each day', async () => {
    await register('odoo');
    world.payments.data.seedDay(CODE, '2026-11-20', { invoices: 5, refunds: 2 });
    await world.report();
    const [mail] = await world.readMails('report');
    const file = mail?.attachments.find(({ filename }) => filename?.startsWith('books-KWD-2026-11-20-r1'));
    const rows = rowsOf(Buffer.from(attachmentBytes(defined(file))).toString());
    expect(rows.length).toBeGreaterThan(0);
    await register('odoo', { books: { layout: 'odoo' } });
    await world.report({ resend: true });
    const later = (await world.readMails('report')).at(-1);
    expect(later?.attachments.some(({ filename }) => filename?.startsWith('books-'))).toBe(false);
  });
});

const camtSchema = z.tuple([
  z.array(z.string()),
  z.string(),
  z.tuple([z.looseObject({ OpeningBalance: z.string(), ClosingBalance: z.string() })]),
  z.array(
    z.looseObject({
      Amount: z.string(),
      CreditDebitIndicator: z.string(),
      Currency: z.string(),
      RemittanceInformation: z.string(),
    }),
  ),
]);
const READ = `
import importlib.metadata, json, sys, xmlschema
from pycamt.parser import Camt053Parser
schemas = importlib.metadata.distribution('camt053')
schema = xmlschema.XMLSchema(schemas.locate_file('camt053/xsd/camt.053.001.02.xsd'))
errors = [str(error.reason) for error in schema.iter_errors(sys.argv[1])]
parser = Camt053Parser.from_file(sys.argv[1])
print(json.dumps([errors, parser.version, parser.get_statement_info(), parser.get_transactions()]))
`;

it('camt.053 is valid by its schema, and a parser of others reads its entries', async () => {
  const programs = await pythonEnvironment(
    join(import.meta.dirname, '../../../../.local/camt/python'),
    fileURLToPath(import.meta.resolve('#support/readers/camt-requirements.txt')),
  ).catch((error: unknown) => {
    if (!(MAY_SKIP && error instanceof UnavailableError)) throw error;
    TestRunner.getCurrentTest()?.context.skip('needs Python packages, as a second reader');
    return undefined;
  });
  await register('camt.053', {
    attachments: { paymentMethods: { KNET: 'K\u0007\u0000\uFFFE\uFFFF & <b>\uD800 كي نت' } },
  });
  await sealOctober();
  await sealPage(world, { day: '2026-10-04', revision: 2, ...paid('0.500', { refunded: '6.500' }) });
  await state(CLOSED);
  const [{ text }] = z.tuple([z.object({ text: z.string() })]).parse(await importFiles(world));
  const path = join(newDirectory(), 'file.xml');
  await writeFile(path, text);
  const { stdout } = await promisify(execFile)(join(defined(programs), 'python'), ['-I', '-c', READ, path]);
  const [errors, version, [info], entries] = camtSchema.parse(JSON.parse(stdout));
  expect([errors, version]).toEqual([[], 'camt.053.001.02']);
  const signed = entries.map(({ Amount, CreditDebitIndicator: way }) =>
    way === 'DBIT' ? -parseSum(Amount) : parseSum(Amount),
  );
  const sum = formatAmount(signed.reduce((all, amount) => all + amount, 0n));
  const { OpeningBalance, ClosingBalance } = info;
  expect([OpeningBalance, ClosingBalance, sum]).toEqual(['0.000', '1644.000', '1644.000']);
  expect(entries[0]?.RemittanceInformation).toBe('Payments K & <b>\uFFFD كي نت');
}, 120_000);
