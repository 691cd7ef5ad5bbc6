import { allGroups } from '#registry/groups.ts';
import { allMerchants } from '#registry/merchants.ts';
import type { Registry } from '#registry/registry.ts';
import { addressesOnce, asciiAddress, mailAddress } from '#registry/mail-address.ts';
import { RegistryError } from '#registry/registry-errors.ts';
import { RegistrySource } from '#registry/registry-source.ts';
import type { CommandContext } from '../context.ts';
import { shown } from '../terminal/shown-text.ts';
import { firstNamed } from '../terminal/words.ts';
import { didYouMean } from '../check/problem.ts';
import { UsageError } from '../terminal/command-errors.ts';

/** An address that the registry knows, and who has it. */
export interface KnownAddress {
  /** As the registry writes it first. */
  address: string;
  merchants: { merchantCode: string; timeZone: string }[];
  /** The names of the groups whose pages it gets. */
  groups: string[];
}

/** Every address of a usable entry or group, by its hash. */
function knownAddresses(registry: Registry): Map<string, KnownAddress> {
  const known = new Map<string, KnownAddress>();
  /** The owners of an address, to add one more. */
  const ownersOf = (hash: string, address: string): KnownAddress => {
    const owners = known.get(hash) ?? { address, merchants: [], groups: [] };
    known.set(hash, owners);
    return owners;
  };
  for (const { merchantCode, timeZone, recipients } of allMerchants(registry).merchants) {
    for (const [hash, { address }] of addressesOnce(recipients)) {
      ownersOf(hash, address).merchants.push({ merchantCode, timeZone });
    }
  }
  for (const { name, recipients } of allGroups(registry).groups) {
    for (const [hash, { address }] of addressesOnce(recipients)) ownersOf(hash, address).groups.push(name);
  }
  return known;
}

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

/** Who has an address: merchants by code, groups by name. */
interface Owners {
  readonly merchants: readonly string[];
  readonly groups: readonly string[];
}

/** The owners of an address, such as `700001, 700002 and 3 more, group shops`. Empty when nobody has it. */
export function ownersInWords({ merchants, groups }: Owners, most: number): string {
  const owners = [...merchants, ...groups.map((name) => `group ${name}`)];
  return firstNamed(owners, most);
}

/** A mail address from the command line, without blanks around it. @throws {UsageError} when it is none */
export function givenAddress(text: string): string {
  const address = text.trim();
  if (!mailAddress.safeParse(address).success) {
    const meant = didYouMean(asciiAddress(address));
    throw new UsageError(`the argument is not an address such as owner@example.com${meant}`);
  }
  return address;
}
