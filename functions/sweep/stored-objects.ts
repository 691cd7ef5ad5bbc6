import type { ListedObject } from './orphans.ts';

/** The objects of the bucket whatever they are, for whoever tidies up. */
export interface StoredObjects {
  /** All whose key begins so. */
  under(prefix: string): Promise<ListedObject[]>;
  /** What stands between that prefix and the next slash, each with both, such as `invoices/json/day=2026-11-20/`. */
  foldersUnder(prefix: string): Promise<string[]>;
  remove(key: string): Promise<void>;
}
