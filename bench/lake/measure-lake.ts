import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import { installTrino, startTrino } from '#sandbox/trino/index.ts';
import { createHistory, liveMonth, LAST_DAY } from './month.ts';
import type { LivedMonth } from './month.ts';
import { openMeasuredLake } from './measured-lake.ts';
import type { MeasuredLake } from './measured-lake.ts';
import { measureNamedQueries, measureQuestion, monthQuestions } from './questions.ts';
import type { MeasuredQuery, MeasuredQuestion } from './questions.ts';
import { daysUntil } from '../days.ts';

interface Settings {
  merchants: number;
  days: number;
}

interface HistorySize {
  table: string;
  dataFiles: number;
  rows: number;
  /** Bytes of data files. */
  bytes: number;
}

export interface Results extends LivedMonth {
  settings: Settings;
  history: HistorySize[];
  questions: MeasuredQuestion[];
  queries: MeasuredQuery[];
}

/** Where `npm run test:trino` installs it, too. */
const HOME = join(import.meta.dirname, '../../.local/trino');

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

/** Makes the lake and measures it. @param say takes lines about the progress */
export async function measureLake(settings: Settings, say: (line: string) => void): Promise<Results> {
  const installation = await installTrino(HOME, say);
  const directory = join(HOME, `bench-${process.pid}`);
  const server = await startTrino(installation, {
    directory,
    java: ['-Xmx2G', '-XX:TieredStopAtLevel=1'],
    // As it comes: what is measured is how it plans and works by itself.
    settings: {},
  });
  try {
    const lake = await openMeasuredLake(server);
    try {
      await createHistory(lake);
      const days = daysUntil(LAST_DAY, settings.days);
      say(`${settings.merchants} merchants, ${days.length} days …`);
      const month = await liveMonth(lake, { days, merchants: settings.merchants, say });
      const questions: MeasuredQuestion[] = [];
      for (const question of monthQuestions(days)) {
        say(`  ${question.name} …`);
        questions.push(await measureQuestion(lake, question));
      }
      say('  the named queries …');
      const queries = await measureNamedQueries(lake);
      return { settings, ...month, questions, queries, history: await sizesOf(lake) };
    } finally {
      await lake.close();
    }
  } finally {
    await server.close();
    await rm(directory, { recursive: true, force: true });
  }
}
