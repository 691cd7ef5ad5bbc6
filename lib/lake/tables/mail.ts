import { ledgerSchema } from '#mail/ledger/ledger.ts';
import { columnsOfSchema } from '../columns-of-schema.ts';
import type { LakeTable } from '../lake-table.ts';
import { LEDGER_MEANINGS, STATEMENT_LEDGER_MEANINGS } from '../meanings/ledger.ts';
import type { Meaning } from '../lake-column.ts';

function columns(meanings: Record<string, Meaning>): LakeTable['columns'] {
  // Only the ledgers of alerts have `says`, and these are in no table.
  return columnsOfSchema(ledgerSchema.unwrap().omit({ says: true }), {
    meanings,
    contract: 'Daybook',
    types: { figures: 'string' },
  });
}

/** The ledgers of reports and corrections of days. Other ledgers have other keys and are not part of it. */
export const MAIL: LakeTable = {
  name: 'mail',
  description:
    'The ledger of one mail: what became of a revision\'s report or correction. Merchant and revision are in "$path".',
  prefix: 'mail/',
  format: 'json',
  partitions: ['day'],
  columns: columns(LEDGER_MEANINGS),
};

/** The ledgers of statements and of groups' pages. */
export const STATEMENT_MAIL: LakeTable = {
  name: 'statement_mail',
  description:
    'The ledger of one mail: what became of a statement or of a group\'s page. Merchant or group, and the revision, are in "$path".',
  prefix: 'mail/',
  format: 'json',
  partitions: ['year', 'part'],
  periods: ['month', 'week', 'day'],
  columns: columns(STATEMENT_LEDGER_MEANINGS),
};
