import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import { installTrino, startTrino } from '#sandbox/trino/index.ts';
import { createHistory, liveMonth } from './month.ts';
import type { MeasuredMerge, Written } from './month.ts';
import { openMeasuredLake } from './measured-lake.ts';
import type { MeasuredLake } from './measured-lake.ts';
import { measureQuestion, monthQuestions } from './questions.ts';
import type { MeasuredQuestion } from './questions.ts';
import type { Settings } from './run.ts';
import { daysUntil } from '../days.ts';
import { LAST_DAY } from './pages.ts';
import { measureYear } from './year.ts';
import type { MeasuredYear } from './year.ts';

/** A table of the history as it stands at the end. */
interface HistorySize {
  table: string;
  dataFiles: number;
  rows: number;
  /** Bytes of data files. */
  bytes: number;
}

/** All measurements of a run, as `--json` writes them. */
export interface Results {
  settings: Settings;
  written: Written;
  merges: MeasuredMerge[];
  history: HistorySize[];
  questions: MeasuredQuestion[];
  year: MeasuredYear | undefined;
}

/** Where `npm run test:trino` installs it, too. */
const HOME = join(import.meta.dirname, '../../.local/trino');
const DAYS_OF_YEAR = 365;

async function sizesOf(lake: MeasuredLake): Promise<HistorySize[]> {
  const sizes: HistorySize[] = [];
  for (const table of ['invoices_history', 'refunds_history', 'days_history']) {
    const { answer } = await lake.run(
      `SELECT count(*), sum(record_count), sum(file_size_in_bytes) FROM "${table}$files" WHERE content = 0`,
    );
    const [dataFiles = 0, rows = 0, bytes = 0] = answer.rows[0]?.map(Number) ?? [];
    sizes.push({ table, dataFiles, rows, bytes });
  }
  return sizes;
}

/** Makes the lakes and measures them. @param say takes lines about the progress */
export async function measureLake(settings: Settings, say: (line: string) => void): Promise<Results> {
  const { merchants, days: count, year, daily, seed } = settings;
  const began = performance.now();
  const elapsed = () => `${((performance.now() - began) / 1_000).toFixed(0)} s`;
  const installation = await installTrino(HOME, say);
  const directory = join(HOME, `bench-${process.pid}`);
  const server = await startTrino(installation, {
    directory,
    java: ['-Xmx2G', '-XX:TieredStopAtLevel=1'],
    // As it comes: what is measured is how it plans and works by itself.
    settings: {},
  });
  const withLake = async <T>(use: (lake: MeasuredLake) => Promise<T>): Promise<T> => {
    const lake = await openMeasuredLake(server);
    try {
      await createHistory(lake);
      return await use(lake);
    } finally {
      await lake.close();
    }
  };
  try {
    const days = daysUntil(LAST_DAY, count);
    say(`${merchants} merchants, ${count} days, seed ${seed} …`);
    const month = await withLake(async (lake) => {
      const lived = await liveMonth(lake, { days, merchants, seed, daily, progress: say });
      say(`questions about the month … ${elapsed()}`);
      const questions: MeasuredQuestion[] = [];
      for (const question of monthQuestions(days)) {
        questions.push(await measureQuestion(lake, question));
        say(`  ${question.name}, ${elapsed()}`);
      }
      return { ...lived, questions, history: await sizesOf(lake) };
    });
    if (year === 0) return { settings, ...month, year: undefined };
    say(`${year} merchants, ${DAYS_OF_YEAR} days … ${elapsed()}`);
    const options = { days: daysUntil(LAST_DAY, DAYS_OF_YEAR), merchants: year, seed, progress: say };
    const measured = await withLake((lake) => measureYear(lake, options));
    say(`measured in ${elapsed()}`);
    return { settings, ...month, year: measured };
  } finally {
    await server.close();
    await rm(directory, { recursive: true, force: true });
  }
}
