import { HAS_DUCKDB, askDuckdb } from '#support/lake/duckdb.ts';
import { TODAY, describeFiguresOfMails, monthsOfMail } from '#support/lake/mail-figures.ts';

const made = await monthsOfMail();

describe.runIf(HAS_DUCKDB)('DuckDB', () => {
  describeFiguresOfMails(async (statements) => {
    const answers = await askDuckdb(made.world.folder, TODAY, Object.fromEntries(statements.entries()));
    return Object.values(answers).flat();
  }, made);
});
