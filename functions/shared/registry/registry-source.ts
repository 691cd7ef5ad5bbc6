import type { Registry } from '#domain/registry/registry.ts';

/** The registry as it serves now, and what is wrong with the one in S3 when that is not it. */
export interface RegistrySource {
  load(): Promise<{ registry: Registry; alarm: string | null }>;
  /**
   * Remembers the registry just loaded as good, for when a later one is not.
   *
   * @returns false where it serves now and could not serve then, so that the one before stays
   */
  accept(): Promise<boolean>;
}
