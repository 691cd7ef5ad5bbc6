import * as z from 'zod';
import { dataFile, type Format, type Table } from '#records/revision/manifest.ts';
import { sandboxMerchant } from '#sandbox/payments/index.ts';
import { DAY, type DaybookWorld } from '../world/daybook-world.ts';
import { signIn } from '../payments/running-service.ts';

/** The lines of one revision's file, unpacked. */
export async function sealedLines(
  world: DaybookWorld,
  table: Table,
  format: Format,
  revision = 1,
): Promise<string[]> {
  const text = await world.text(dataFile(await world.manifest(revision), table, format).key);
  return text.split('\n').slice(0, -1);
}

const rowSchema = z.looseObject({ id: z.number() });
type Row = z.infer<typeof rowSchema>;

const pageSchema = z.object({
  response: z.object({
    invoices: z.object({ data: z.array(rowSchema), pagination: z.object({ total_pages: z.int() }) }),
  }),
});

/** The rows of one revision by id, as the service's records: without Daybook's own members. */
export async function sealedRecords(world: DaybookWorld, table: Table, revision = 1): Promise<Row[]> {
  const lines = await sealedLines(world, table, 'json', revision);
  const records = lines.map((line) => {
    const { _merchant_code, _day, _query_type, ...record } = rowSchema.parse(JSON.parse(line));
    return record;
  });
  return records.toSorted((a, b) => a.id - b.id);
}

/** Every invoice that the service has for the day now, by id, read by a client that is not the product's. */
export async function servedInvoices(world: DaybookWorld): Promise<Row[]> {
  const client = await signIn(world.payments, sandboxMerchant(0));
  const rows: Row[] = [];
  for (const invoiceType of ['1', '0', '6', '7']) {
    for (let page = 1, pages = 1; page <= pages; page += 1) {
      const query = { fromDate: DAY, toDate: DAY, invoiceType, page };
      const { body } = await client.invoices(query);
      const { invoices } = pageSchema.parse(body).response;
      rows.push(...invoices.data);
      pages = invoices.pagination.total_pages;
    }
  }
  return rows.toSorted((a, b) => a.id - b.id);
}
