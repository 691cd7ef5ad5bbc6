import type { ListedObject } from './orphans.ts';

/** All objects of the bucket, for removing what nobody needs. */
export interface StoredObjects {
  /** All objects whose key begins with the prefix. */
  under(prefix: string): Promise<ListedObject[]>;
  /**
   * The folders directly under the prefix, each with the prefix and the slash at its end, such as
   * `invoices/json/day=2026-11-20/`.
   */
  foldersUnder(prefix: string): Promise<string[]>;
  remove(key: string): Promise<void>;
}
