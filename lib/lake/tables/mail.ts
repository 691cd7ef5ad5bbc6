import { ledgerSchema } from '#domain/ledger/ledger.ts';
import { columnsOfSchema } from '../columns-of-schema.ts';
import type { LakeTable } from '../lake-table.ts';
import { LEDGER_MEANINGS } from '../meanings/ledger.ts';

/** The ledgers of reports and corrections. Ledgers of alerts have other keys and are not part of it. */
export const MAIL: LakeTable = {
  name: 'mail',
  description:
    'The ledger of one mail: what became of a revision\'s report or correction. Merchant and revision are in "$path".',
  prefix: 'mail/',
  format: 'json',
  partitions: ['day'],
  columns: columnsOfSchema(ledgerSchema.unwrap(), {
    meanings: LEDGER_MEANINGS,
    contract: 'Daybook',
    types: { figures: 'string' },
  }),
};
