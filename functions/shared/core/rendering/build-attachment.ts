import type { AttachmentCsv } from './attachment-csv.ts';

/** The CSV of a day, or how many rows it would have had. */
export type BuiltAttachment =
  { kind: 'csv'; content: Buffer; rows: number } | { kind: 'too-big'; rows: number };

/**
 * Builds the CSV of a day's invoices without ever holding more than the limit; what goes beyond it is counted only.
 *
 * @param lines the lines of the sealed invoices file in JSON
 * @param limitBytes the largest attachment; in the mail it takes 4/3 of that
 * @throws {SealedLineError} when a line that is still collected is no JSON object
 */
export async function buildAttachment(
  csv: AttachmentCsv,
  lines: AsyncIterable<string>,
  limitBytes: number,
): Promise<BuiltAttachment> {
  const header = Buffer.from(csv.header);
  let chunks = [header];
  let bytes = header.length;
  let rows = 0;
  for await (const line of lines) {
    rows += 1;
    if (bytes > limitBytes) continue;
    const chunk = Buffer.from(csv.row(line));
    bytes += chunk.length;
    if (bytes > limitBytes) chunks = [];
    else chunks.push(chunk);
  }
  return bytes > limitBytes
    ? { kind: 'too-big', rows }
    : { kind: 'csv', content: Buffer.concat(chunks), rows };
}
