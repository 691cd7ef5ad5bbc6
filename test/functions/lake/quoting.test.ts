import { describe, expect, it } from 'vitest';
import { createGroupTables, lookAtGroup, mergeGroup } from '#lake/sql/groups.ts';
import { plainName, quotedText } from '#lake/sql/quoting.ts';
import { HISTORY_MERGES } from '#lake/sql/history-tables.ts';
import { look } from '#lake/sql/statements/look.ts';
import { mergeDays, mergeMail, mergeRecords } from '#lake/sql/statements/merge.ts';
import { askFor, note, noteDaysMerged } from '#lake/sql/statements/notes.ts';
import { createTable, optimize } from '#lake/sql/statements/tables.ts';
import { beginStatement, stateStatement, viewStatement } from '#lake/sql/statements/views.ts';
import { ALL_DAYS } from '#lake/sql/views/all.ts';
import { countRows, filesOfCustomer, forgettingOf } from '#lake/sql/statements/forget.ts';

const HOSTILE = "7'; DELETE FROM days_history --";
const slice = { days: [HOSTILE], from: HOSTILE, to: HOSTILE };
const HOSTILE_CUSTOMER = { emails: [HOSTILE], phones: [HOSTILE], ids: [HOSTILE] };
const group = { name: 'north', merchants: [HOSTILE], personal: true };
const found = {
  complete_from: HOSTILE,
  complete_to: HOSTILE,
  merged_days: HOSTILE,
  merged_mail_days: HOSTILE,
  days_waiting: HOSTILE,
  mail_waiting: HOSTILE,
  waiting_since: HOSTILE,
  looked_at: HOSTILE,
  settled_at: HOSTILE,
  pointed_by: HOSTILE,
};

/** Every statement that has something from outside in it. */
const STATEMENTS = {
  look: [look({ since: HOSTILE, now: HOSTILE })],
  merge: [
    mergeRecords('invoices', slice),
    mergeDays(slice, HOSTILE),
    mergeMail(slice),
    optimize({ name: 'days_history' }, HOSTILE),
    createTable(HISTORY_MERGES, { database: 'daybook', location: HOSTILE }),
  ],
  notes: [noteDaysMerged(slice, HOSTILE), note(HOSTILE, HOSTILE), askFor(slice, HOSTILE)],
  views: [beginStatement(found), stateStatement(found), viewStatement(ALL_DAYS, found)],
  groups: [lookAtGroup('daybook', group), ...mergeGroup('daybook', group, { from: HOSTILE, to: HOSTILE })],
  forgetting: [
    filesOfCustomer(HOSTILE_CUSTOMER, HOSTILE, HOSTILE),
    ...[HOSTILE_CUSTOMER, { merchantCode: HOSTILE }].flatMap((forgotten) => {
      const forgettings = forgettingOf(forgotten, 'daybook', [group]);
      return [countRows(forgettings), ...forgettings.map(({ sql }) => sql)];
    }),
  ],
};

describe('a statement', () => {
  it.each(Object.entries(STATEMENTS))(
    'has what comes from outside in quotes only: %s',
    (_name, statements) => {
      for (const sql of statements) {
        const outside = sql.replaceAll(/'(?:[^']|'')*'/g, 'TEXT');
        expect(outside).not.toContain('DELETE FROM days_history --');
      }
    },
  );

  it('names no database that would need quotes', () => {
    expect(() => createGroupTables('daybook', { ...group, name: 'north"; --' }, 's3://b/')).toThrow(
      'is no name of a table',
    );
    expect(plainName('daybook_prod__x_north_2')).toBe('daybook_prod__x_north_2');
  });

  it('ends a text where the text ends', () => {
    expect(quotedText("it's ''")).toBe("'it''s '''''");
  });
});
