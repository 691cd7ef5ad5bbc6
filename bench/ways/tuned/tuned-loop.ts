import type { S3Client } from '@aws-sdk/client-s3';
import { CSV_HEAD, csvLine } from './csv-line.ts';
import { byFetch, readPages } from './read-pages.ts';
import type { DayTask, Get } from './read-pages.ts';
import { UploadedLines } from './uploaded-lines.ts';

/**
 * The loop that a person tunes by hand. It writes the same lines as Daybook into the same kind of files: JSON lines and CSV, compressed,
 * in S3. It checks nothing, hashes nothing and tries nothing again.
 *
 * @param place where `invoices.json.gz` and `invoices.csv.gz` go; `prefix` is the beginning of their keys
 * @returns how many rows it wrote
 */
export async function tunedLoop(
  task: DayTask,
  { client, bucket, prefix }: { client: S3Client; bucket: string; prefix: string },
  get: Get = byFetch,
): Promise<number> {
  const json = new UploadedLines(client, bucket, `${prefix}invoices.json.gz`);
  const csv = new UploadedLines(client, bucket, `${prefix}invoices.csv.gz`);
  const { merchantCode } = task.merchant;
  await csv.add(CSV_HEAD);
  let rows = 0;
  for await (const { invoiceType, records } of readPages(task, get)) {
    const own = { _merchant_code: merchantCode, _day: task.day, _query_type: invoiceType };
    const ownJson = `${JSON.stringify(own).slice(0, -1)},`;
    const ownCsv = `${merchantCode},${task.day},${invoiceType}`;
    let jsonLines = '';
    let csvLines = '';
    for (const record of records) {
      jsonLines += `${ownJson}${JSON.stringify(record).slice(1)}\n`;
      csvLines += csvLine(ownCsv, record);
    }
    rows += records.length;
    await json.add(jsonLines);
    await csv.add(csvLines);
  }
  await Promise.all([json.finish(), csv.finish()]);
  return rows;
}
