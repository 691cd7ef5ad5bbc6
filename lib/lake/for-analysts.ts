import { keysBegin, LAKE_TABLES } from './tables.ts';
import { HISTORY_PREFIX } from '#lake/sql/lake-database.ts';

/**
 * Tables whose objects analysts may not read: the ledgers of mails, whose folder also has notices to the operators, and the change
 * markers. Analysts have `mail_history` for mails.
 */
export const OPERATORS_ONLY: readonly string[] = ['mail', 'statement_mail', 'changes'];

const TABLES = LAKE_TABLES.filter(({ name }) => !OPERATORS_ONLY.includes(name));

const FOLDERS = [...new Set(TABLES.map(({ prefix }) => prefix))];
const BEGINNINGS = [...new Set(TABLES.map(keysBegin))];

/** The objects that analysts may read: keys, with a star for any text. */
export const ANALYST_OBJECTS = [
  ...BEGINNINGS.map((beginning) => `${beginning}*` as const),
  `${HISTORY_PREFIX}*` as const,
];

/** Beginnings of keys that analysts may list. */
export const ANALYST_FOLDERS: readonly string[] = [...FOLDERS, HISTORY_PREFIX];
