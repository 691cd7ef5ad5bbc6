import { createHash } from 'node:crypto';
import { customerSchema } from '#lake/sql/statements/forget.ts';
import { DayStore } from '#page/day-store.ts';
import { addDays, dayAt, type Day } from '#records/day/business-day.ts';
import { daysOf, monthOf, periodDays, type Period } from '#records/period/period.ts';
import { dataFileInKey, dataKey, merchantDay } from '#records/storage/keys.ts';
import { codesInEntries } from '#registry/registry.ts';
import type { CommandContext, ExitStatus } from '../context.ts';
import { registryInUse } from '../registry/stored-registry.ts';
import { reportAnswerSchema } from '../stage/function-answers.ts';
import { answerOf } from '../stage/invoke-function.ts';
import { readLakeOutputs } from '../stage/stage.ts';
import { CommandError, UsageError } from '../terminal/command-errors.ts';
import { counted, firstNamed } from '../terminal/shown-text.ts';
import { versionsUnder } from '../stage/stored-versions.ts';
import { forEach } from '../terminal/for-each.ts';
import { askLake, forget, type ForgetOptions } from './forget.ts';

interface CustomerOptions extends ForgetOptions {
  email: string[];
  phone: string[];
  id: string[];
}

/** A merchant's day with the files of it that have the customer. */
interface FoundPage {
  merchantCode: string;
  day: Day;
  files: string[];
  /** In all pulls together. */
  rows: number;
  /** Whether the newest revision has the customer, and can be pulled again. */
  isToPull: boolean;
}

/**
 * Does `daybook customer forget`. Sealed files are never rewritten: their days are pulled again without the customer, and
 * then the files of all older revisions are deleted.
 */
export async function forgetCustomer(context: CommandContext, options: CustomerOptions): Promise<ExitStatus> {
  const { output } = context;
  const { email: emails, phone: phones, id: ids } = options;
  const forgotten = customerSchema.safeParse({ emails, phones, ids }).data;
  if (forgotten === undefined || emails.length + phones.length + ids.length === 0) {
    throw new UsageError(
      'name the customer by what only they have: an --email or --id of four letters at least, or a --phone of six digits at least',
    );
  }
  const stage = await context.stage();
  const lake = await readLakeOutputs(stage.name);
  if (lake?.firstDay === undefined)
    throw new CommandError(`${stage.name} has no lake, which searches for customers`);
  const codes = codesInEntries(await registryInUse(output, stage));
  const store = new DayStore(stage.s3(), stage.bucket);

  /** The lake is asked month by month: each takes a few minutes at most. */
  async function pagesOf(months: Iterable<Period>): Promise<FoundPage[]> {
    const pages = new Map<string, FoundPage>();
    for (const month of months) {
      const search = { customer: forgotten, ...periodDays(month, 'monday') };
      const { files } = await askLake(context, stage, { search }, `Searching ${month}`);
      for (const [key, rows] of Object.entries(files)) {
        const file = dataFileInKey(key);
        if (file === undefined) continue;
        const { merchantCode, day, table, pull } = file;
        const id = `${day} ${merchantCode}`;
        const page = pages.get(id) ?? { merchantCode, day, files: [], rows: 0, isToPull: false };
        pages.set(id, page);
        page.files.push(key, dataKey(table, 'json', day, merchantCode, pull));
        page.rows += rows;
      }
    }
    await forEach(context, 'Reading manifests', [...pages.values()], async (page) => {
      const newest = await store.newest(merchantDay(page.merchantCode, page.day));
      const isSealed = newest?.files.some(({ key }) => page.files.includes(key)) ?? false;
      page.isToPull = isSealed && codes.has(page.merchantCode);
    });
    return [...pages].toSorted(([a], [b]) => (a < b ? -1 : 1)).map(([, page]) => page);
  }

  async function pullAgain(pages: readonly FoundPage[]): Promise<void> {
    for (const { merchantCode, day } of pages) {
      const doing = `daily-report pulls ${day} of ${merchantCode} again`;
      const event = { merchantCode, day };
      await answerOf(stage, 'daily-report', event, { schema: reportAnswerSchema, context, doing });
    }
    const months = new Set(pages.map(({ day }) => monthOf(day)));
    const sent = (await pagesOf(months)).filter(({ isToPull }) => isToPull);
    if (sent.length === 0) return;
    const names = sent.map(({ merchantCode, day }) => `${merchantCode} ${day}`);
    const where = firstNamed(names, 5);
    throw new CommandError(
      `the service still sends the customer (${where}), and nothing was deleted. Have the merchant change the record there, or leave the column out ("redact" in docs/registry.md), and run the same command again`,
    );
  }

  /** The starts of the keys of what mails link: files of these days, and of the weeks and months that may have them. */
  async function linkedFiles(pages: readonly FoundPage[]): Promise<string[]> {
    const { folders } = await versionsUnder(stage, 'links/statements/', '/');
    const prefixes = pages.flatMap(({ merchantCode, day }) => {
      const having = folders.filter((folder) => {
        const { from, to } = periodDays(folder.slice('links/statements/period='.length, -1), 'monday');
        // Weeks of merchants begin on different days.
        return addDays(from, -6) <= day && day <= addDays(to, 6);
      });
      return [`links/days/day=${day}/`, ...having].map((folder) => `${folder}merchant=${merchantCode}/`);
    });
    return [...new Set(prefixes)];
  }

  // A merchant's day may be one ahead of UTC.
  const days = daysOf({ from: lake.firstDay, to: addDays(dayAt(context.now(), 'UTC'), 1) });
  const months = new Set(days.map(monthOf));
  return forget(context, options, {
    forgotten,
    name: 'the customer',
    // The same for the same customer, and nobody types it by mistake.
    code: createHash('sha256').update(JSON.stringify(forgotten)).digest('hex').slice(0, 6),
    find: async () => {
      const pages = await pagesOf(months);
      const keys = [...pages.flatMap(({ files }) => files), ...(await linkedFiles(pages))];
      const look = (key: string) => versionsUnder(stage, key);
      const stored = await forEach(context, 'Looking for versions', keys, look);
      return {
        pages,
        versions: stored.flatMap(({ versions }) => versions),
        heading: ['Day', 'Merchant', 'Pulls', 'Rows', 'What is done'],
        lines: pages.map(({ day, merchantCode, files, rows, isToPull }) => {
          const done = isToPull ? 'pulled again, then deleted' : 'deleted';
          return [day, merchantCode, files.length / 2, rows, done];
        }),
      };
    },
    question: ({ pages }) =>
      `Pulls ${counted(pages.filter(({ isToPull }) => isToPull).length, 'day')} again, with a correction by mail where figures have changed. Then it deletes all of these files from ${stage.name}.`,
    prepare: ({ pages }) => pullAgain(pages.filter(({ isToPull }) => isToPull)),
    record: ({ pages }) => ({ what: 'customer', days: pages.length }),
  });
}
