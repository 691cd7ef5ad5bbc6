import { fork } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import * as z from 'zod';
import { bundle, copyRunTimeFiles } from '#scripts/bundle.ts';
import { FUNCTION_HEAP } from '../measure.ts';
import { milliseconds, megabytes, type Row } from '../table.ts';
import type { MeasuredDocument } from '../document.worker.ts';

const ROOT = join(import.meta.dirname, '../..');
/** Of the function. */
const MEMORY = 512 * 1_048_576;

const measuredSchema: z.ZodType<MeasuredDocument> = z.object({
  load: z.number(),
  first: z.number(),
  second: z.number(),
  peak: z.number(),
});

async function measure(file: string, rows: number): Promise<MeasuredDocument> {
  const child = fork(file, [`${rows}`], { execArgv: [...FUNCTION_HEAP] });
  const answer: unknown = await once(child, 'message');
  child.disconnect();
  return z.tuple([measuredSchema]).rest(z.unknown()).parse(answer)[0];
}

/** The memory of a function that writes a document, from a bundle as it is deployed. */
export async function document(): Promise<Row[]> {
  const folder = await mkdtemp(join(tmpdir(), 'daybook-document-'));
  try {
    await copyRunTimeFiles(folder, await bundle(ROOT, 'bench/document.worker.ts', folder));
    const rows: Row[] = [];
    for (const count of [60, 2_000]) {
      const { load, first, second, peak } = await measure(join(folder, 'index.mjs'), count);
      rows.push({
        measured: `peak memory of a PDF with ${count.toLocaleString('en')} rows, as a share of 512 MB`,
        ratio: peak / MEMORY,
        bound: { atMost: 0.6 },
        detail:
          `${megabytes(peak)}; processor: load ${milliseconds(load)}, first ${milliseconds(first)}, ` +
          `second ${milliseconds(second)}`,
      });
    }
    return rows;
  } finally {
    await rm(folder, { recursive: true });
  }
}
