import { addDays } from '#records/day/business-day.ts';
import { groupDatabase, type LakeGroup } from '#lake/sql/groups.ts';
import { HistoryLake, inTrinosWords } from './history-lake.ts';
import { LakePages } from './lake-pages.ts';
import { RunningLake } from './running-lake.ts';

const TODAY = '2026-11-23';
const FIRST_DAY = '2026-11-01';
const MERCHANTS = [0, 1];
/** People who may see one of the merchants. */
const GROUP: LakeGroup = { name: 'north', merchants: ['700001'], personal: false };

/** The time of the first invocation. */
export const NOW = `${TODAY}T08:40:00.000Z`;
/** The days that are sealed and mailed by then. They make two slices. */
export const DAYS = ['2026-11-17', '2026-11-18', '2026-11-19', '2026-11-20', '2026-11-21', '2026-11-22'];

/** The time so many minutes after {@link NOW}. */
export function later(minutes: number): string {
  return new Date(Date.parse(NOW) + minutes * 60_000).toISOString();
}

/** The same time as the pages of the lake have it. */
export function sealedAt(minutes: number): string {
  return later(minutes).replace('.000', '');
}

/** Two merchants with some sealed days, and the function `lake`, which has not run yet. */
export async function startLakeDays() {
  const lake = await HistoryLake.start({ today: TODAY, firstDay: FIRST_DAY });
  let refused = /^$/;
  // CloudFormation makes the groups' databases.
  await lake.run(`CREATE SCHEMA ${groupDatabase(lake.trino.database, GROUP)}`);
  const keeper = await RunningLake.start(
    ({ query }, signal) => lake.trino.run(query, signal),
    { groups: [GROUP] },
    (sql) => (refused.test(sql) ? 'REFUSED' : inTrinosWords(sql)),
  );
  const pages = new LakePages(lake.put);
  for (const day of DAYS) {
    for (const merchant of MERCHANTS) {
      const page = await pages.seal(merchant, day, { at: `${addDays(day, 1)}T03:10:00Z` });
      await pages.send(page, `${addDays(day, 1)}T03:20:00Z`, ['accepted']);
    }
  }
  return {
    lake,
    keeper,
    pages,
    /** From now on Athena refuses these statements. */
    refuse: (statements: RegExp) => {
      refused = statements;
    },
    close: async () => {
      await keeper.athena.close();
      await lake.close();
    },
    state: async (): Promise<Record<string, unknown>> => {
      const [row = {}] = await lake.query('SELECT * FROM history_state');
      return row;
    },
    /** Takes the views off the history, and empties it. */
    emptyHistory: async () => {
      await keeper.run(NOW, { off: true });
      for (const table of ['invoices', 'refunds', 'days', 'mail'].map((name) => `${name}_history`)) {
        await lake.run(`DELETE FROM ${table}`);
      }
      await lake.run('DELETE FROM history_merges');
    },
  };
}
