import { LAKE_TABLES } from '../tables/index.ts';
import { LAKE_VIEWS } from '../views/index.ts';

/**
 * Tables and views that analysts may not read: the ledgers of mails, whose folder also has notices to the operators, and the
 * marks of days that changed. Analysts have `mail_history` for mails.
 */
export const OPERATORS_ONLY: readonly string[] = ['mail', 'all_mail', 'changes'];

/** The beginning of the keys of the history's tables, and of the groups' copies. */
export const HISTORY_PREFIX = 'lake/';

const TABLES = LAKE_TABLES.filter(({ name }) => !OPERATORS_ONLY.includes(name));

/** The tables that analysts may read. */
export const ANALYST_TABLES: readonly string[] = TABLES.map(({ name }) => name);

/** The views that analysts may read. */
export const ANALYST_VIEWS: readonly string[] = LAKE_VIEWS.map(({ name }) => name).filter(
  (name) => !OPERATORS_ONLY.includes(name),
);

/** Beginnings of keys that `day=` follows: the files of the tables that analysts may read. */
export const ANALYST_FOLDERS: readonly string[] = [...new Set(TABLES.map(({ prefix }) => prefix))];
