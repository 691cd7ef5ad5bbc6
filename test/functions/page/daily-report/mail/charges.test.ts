import PostalMime from 'postal-mime';
import { afterEach, describe, expect, it } from 'vitest';
import { dataFile } from '#records/revision/manifest.ts';
import { formatAmount, parseAmount } from '#records/money/money.ts';
import { CODE, DAY, DaybookWorld } from '#support/world/daybook-world.ts';
import { defined } from '#support/assertions/defined.ts';
import { sealedRecords } from '#support/daily-report/sealed-rows.ts';

let world: DaybookWorld;
afterEach(() => world.close());

/** The day as it is mailed, in usual blanks and digits. */
async function mailedText(defaults: Record<string, unknown>): Promise<string> {
  world = await DaybookWorld.start({ defaults });
  world.payments.data.seedDay(CODE, DAY, { invoices: 40, refunds: 3 });
  await world.report();
  const { text = '' } = await PostalMime.parse(defined(world.mails('report')[0]).raw);
  return text.replaceAll('\u00A0', ' ').replaceAll(',', '');
}

/** The sum over the paid rows that were sealed. */
async function paidSum(columns: readonly string[]): Promise<bigint> {
  const rows = await sealedRecords(world, 'invoices');
  return rows
    .filter((row) => String(row['invoice_status']) === '1')
    .flatMap((row) => columns.map((column) => parseAmount(String(row[column]))))
    .reduce((sum, charge) => sum + charge, 0n);
}

describe('a merchant who bears charges', () => {
  it('gets their sum over the paid invoices, and a net less the charges', async () => {
    const text = await mailedText({ charges: ['admin_charge', 'service_charge'] });
    const charges = await paidSum(['admin_charge', 'service_charge']);
    expect(charges).toBeGreaterThan(0n);
    expect(text).toContain(`\nCharges: ${formatAmount(charges)} KWD\n`);
    const refunded = defined((await world.manifest(1)).refunds.byStatus['approved']).total;
    const net = (await paidSum(['amount'])) - parseAmount(refunded) - charges;
    expect(text).toContain(`\nNet: ${formatAmount(net)} KWD\n`);
  });

  it('gets no correction when the charges alone have changed', async () => {
    await mailedText({ charges: ['admin_charge'] });
    const rows = await sealedRecords(world, 'invoices');
    const paid = defined(rows.find((row) => String(row['invoice_status']) === '1'));
    world.payments.data.updateInvoice(CODE, Number(String(paid['id'])), { admin_charge: '9.999' });
    expect(await world.report()).toMatchObject({ revision: 2, mail: { status: 'skipped' } });
    expect(world.mails('correction')).toEqual([]);
  });

  it('is told that they are unknown when the column is redacted', async () => {
    const text = await mailedText({ charges: ['admin_charge'], redact: ['admin_charge'] });
    expect(text).toContain('\nCharges: unknown\nNet: unknown (The reason is below)\n');
    expect(text).toContain('We do not know the charges of every paid invoice.');
  });

  it('gets no figure of charges when the registry names none', async () => {
    const text = await mailedText({});
    expect(text).not.toContain('Charges');
    expect(text).toContain('\nReceived less refunds: ');
    expect(dataFile(await world.manifest(1), 'invoices', 'json').rows).toBe(40);
  });
});
