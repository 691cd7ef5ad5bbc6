import type { Registry } from '#domain/registry/registry.ts';

/** The registry to use now. `alarm` says what is wrong with the one in S3 when another is used. */
export interface RegistrySource {
  load(): Promise<{ registry: Registry; alarm: string | null }>;
  /**
   * Keeps the registry that was just loaded as the last good one, for a time when a later one is unusable.
   *
   * @returns false when it works now and could not work then, so the earlier copy stays
   */
  accept(): Promise<boolean>;
}
