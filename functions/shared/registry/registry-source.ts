import type { Registry } from '#domain/registry/registry.ts';

export interface RegistrySource {
  load(): Promise<{ registry: Registry; alarm: string | null }>;
  /** For when a later one is unusable. `false` when the earlier copy stays. */
  accept(): Promise<boolean>;
}
