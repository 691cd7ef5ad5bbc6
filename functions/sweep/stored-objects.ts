import type { ListedObject } from './orphans.ts';

export interface StoredObjects {
  under(prefix: string): Promise<ListedObject[]>;
  /** With the prefix and the slash at the end, such as `invoices/json/day=2026-11-20/`. */
  foldersUnder(prefix: string): Promise<string[]>;
  remove(key: string): Promise<void>;
}
