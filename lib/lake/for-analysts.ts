import { HISTORY_TABLES } from '#lake/sql/history-tables.ts';
import { keysBegin, LAKE_TABLES } from './tables.ts';
import { HISTORY_PREFIX } from '#lake/sql/lake-database.ts';
import { LAKE_VIEWS } from './views/index.ts';

/**
 * Tables and views that analysts may not read: the ledgers of mails, whose folder also has notices to the operators, the
 * change markers, and what only the function `lake` reads. Analysts have `mail_history` for mails.
 */
export const OPERATORS_ONLY: readonly string[] = [
  'mail',
  'latest_mail',
  'all_mail',
  'statement_mail',
  'latest_statement_mail',
  'changes',
  'history_views',
];

const TABLES = LAKE_TABLES.filter(({ name }) => !OPERATORS_ONLY.includes(name));

export const ANALYST_TABLES: readonly string[] = [...TABLES, ...HISTORY_TABLES].map(({ name }) => name);

export const ANALYST_VIEWS: readonly string[] = LAKE_VIEWS.map(({ name }) => name).filter(
  (name) => !OPERATORS_ONLY.includes(name),
);

const FOLDERS = [...new Set(TABLES.map(({ prefix }) => prefix))];
const BEGINNINGS = [...new Set(TABLES.map(keysBegin))];

/** The objects that analysts may read: keys, with a star for any text. */
export const ANALYST_OBJECTS = [
  ...BEGINNINGS.map((beginning) => `${beginning}*` as const),
  `${HISTORY_PREFIX}*` as const,
];

/** Beginnings of keys that analysts may list. */
export const ANALYST_FOLDERS: readonly string[] = [...FOLDERS, HISTORY_PREFIX];
