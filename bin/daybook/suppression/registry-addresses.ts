import { RegistryError } from '#registry/registry-errors.ts';
import { RegistrySource } from '#registry/registry-source.ts';
import type { CommandContext } from '../context.ts';
import { shown } from '../terminal/shown-text.ts';
import { knownAddresses } from './known-addresses.ts';
import type { KnownAddress } from './known-addresses.ts';

/** The addresses of the stage's registry, by hash. Without a usable registry none is known, and a note says so. */
export async function registryAddresses({
  output,
  stage: connect,
}: CommandContext): Promise<Map<string, KnownAddress>> {
  const stage = await connect();
  try {
    const { registry } = await new RegistrySource(stage.s3(), stage.bucket, stage.registryKey).load();
    return knownAddresses(registry);
  } catch (error) {
    if (!(error instanceof RegistryError)) throw error;
    output.note(`Which merchants and groups have an address is not known: ${shown(error.message)}`);
    return new Map();
  }
}
