import { S3Client } from '@aws-sdk/client-s3';
import { csvParse } from 'd3-dsv';
import { byHttp, CSV_HEAD, tunedLoop, byFetch } from '#bench/ways/tuned.ts';
import { csvColumns } from '#records/rows/contract-columns.ts';
import { sandboxMerchant } from '#sandbox/payments/index.ts';
import { defined } from '#support/assertions/index.ts';
import { BUCKET, DAY, shareWorld } from '#support/world/daybook-world.ts';

const INVOICES = 700;

function parseLines(text: string): unknown[] {
  return text
    .trimEnd()
    .split('\n')
    .map((line): unknown => JSON.parse(line));
}

/** Daybook orders the members in there by name. */
function withParsedProducts({ products = '', ...others }: Record<string, string>) {
  const parsed: unknown = JSON.parse(products);
  return { ...others, products: parsed };
}

const world = shareWorld({ behaviour: { invoiceAnswers: 'encrypted' } });
beforeAll(() => world.payments.data.seedDay('700001', DAY, { invoices: INVOICES, refunds: 0 }));

describe('the tuned loop', () => {
  it('has the columns of Daybook', () => {
    expect(CSV_HEAD).toBe(`${csvColumns('invoices').join(',')}\n`);
  });

  it.each([
    { name: 'fetch', get: byFetch },
    { name: 'node:http', get: byHttp },
  ])('writes with $name the rows that Daybook seals, as JSON lines and CSV', async ({ name, get }) => {
    await world.report();
    const { files } = await world.manifest(1);
    const task = { origin: world.payments.origin, merchant: sandboxMerchant(0), day: DAY };
    const client = new S3Client({});
    const rows = await tunedLoop(task, { client, bucket: BUCKET, prefix: `${name}/` }, get);
    client.destroy();

    const sealed = (format: string) =>
      defined(files.find((file) => file.table === 'invoices' && file.format === format));
    expect(rows).toBe(sealed('json').rows);
    const json = async (key: string) => parseLines(await world.text(key));
    expect(await json(`${name}/invoices.json.gz`)).toEqual(await json(sealed('json').key));
    const csv = async (key: string) => csvParse(await world.text(key)).map(withParsedProducts);
    expect(await csv(`${name}/invoices.csv.gz`)).toEqual(await csv(sealed('csv').key));
  });
});
