import { RECIPIENT_STATUSES } from '#mail/ledger/ledger.ts';
import type { RecipientStatus } from '#mail/ledger/ledger.ts';
import type { ViewColumn } from '../lake-view.ts';
import type { LEDGER_MEANINGS } from '../meanings/ledger.ts';
import { ownColumn as column, utcColumn } from './own-column.ts';

/** How many entries have the status. An entry is the mail to one recipient in one round. */
function entriesThatAre(status: RecipientStatus): ViewColumn {
  const expression = `cardinality(filter(m."recipients", e -> e."status" = '${status}'))`;
  return column(status, 'bigint', expression, `Entries of \`entries\` that are ${status}.`, {
    unit: 'count',
  });
}

/** What became of a mail, from its ledger `m`. */
export function ledgerColumns(meanings: typeof LEDGER_MEANINGS): ViewColumn[] {
  return [
    column('kind', 'varchar', 'm."kind"', meanings.kind.meaning),
    column('status', 'varchar', 'm."status"', meanings.status.meaning),
    column('corrects', 'bigint', 'm."corrects"', meanings.corrects.meaning, { nullable: true }),
    column('round', 'bigint', 'm."round"', meanings.round.meaning),
    column('reason', 'varchar', 'm."reason"', meanings.reason.meaning, { nullable: true }),
    column('nothing_to_send', 'varchar', 'm."nothingtosend"', meanings.nothingToSend.meaning, {
      nullable: true,
    }),
    utcColumn('intended_at', 'm."intendedat"', meanings.intendedAt.meaning),
    column(
      'recipients',
      'bigint',
      'cardinality(array_distinct(transform(m."recipients", e -> e."to")))',
      'Recipients of all rounds, each counted once.',
      { unit: 'count' },
    ),
    ...RECIPIENT_STATUSES.map(entriesThatAre),
    column(
      'entries',
      'varchar',
      'json_format(CAST(m."recipients" AS json))',
      'The mail to each recipient in each round; `to` is the SHA-256 of the address.',
      { unit: 'JSON array of to, status, messageid, at, reason, round' },
    ),
  ];
}
