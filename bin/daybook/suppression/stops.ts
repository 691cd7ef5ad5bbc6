import { allGroups } from '#registry/groups.ts';
import { allMerchants } from '#registry/merchants.ts';
import type { Registry } from '#registry/registry.ts';
import { addressesOnce, asciiAddress, mailAddress } from '#registry/mail-address.ts';
import { RegistryError } from '#registry/registry-errors.ts';
import { registryInUse } from '../registry/stored-registry.ts';
import type { CommandContext } from '../context.ts';
import { shown, firstNamed } from '../terminal/shown-text.ts';
import { didYouMean } from '../check/problem.ts';
import { UsageError, when } from '../terminal/command-errors.ts';
import pLimit from 'p-limit';
import { isUnreadableObject } from '#runtime/s3-objects.ts';
import { SUPPRESSIONS } from '#records/storage/keys.ts';
import { stopInKey, type StopPlace } from '#records/storage/readers-stop.ts';
import { SuppressionList } from '#mail/suppression-list.ts';
import {
  DeleteSuppressedDestinationCommand,
  GetSuppressedDestinationCommand,
  NotFoundException,
  paginateListSuppressedDestinations,
  SESv2Client,
} from '@aws-sdk/client-sesv2';
import type { SuppressedDestinationSummary } from '@aws-sdk/client-sesv2';
import { requestHandler } from '#runtime/aws-clients.ts';

export interface KnownAddress {
  address: string;
  merchants: { merchantCode: string; timeZone: string }[];
  groups: string[];
}

function knownAddresses(registry: Registry): Map<string, KnownAddress> {
  const known = new Map<string, KnownAddress>();
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
  return registryInUse(output, stage)
    .then(knownAddresses)
    .catch(
      when(RegistryError, ({ message }) => {
        output.note(`Which merchants and groups have an address is not known: ${shown(message)}`);
        return new Map<string, KnownAddress>();
      }),
    );
}

/** The codes of the merchants and the names of the groups that have an address. */
export function ownersOf(
  { merchants, groups }: Omit<KnownAddress, 'address'> = { merchants: [], groups: [] },
) {
  return { merchants: merchants.map(({ merchantCode }) => merchantCode), groups };
}

/** Such as `700001, 700002 and 3 more`, or `700001, group shops`. Empty when nobody has it. */
export function ownersInWords({ merchants, groups }: ReturnType<typeof ownersOf>, most: number): string {
  return firstNamed([...merchants, ...groups.map((name) => `group ${name}`)], most);
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

export interface Stop extends StopPlace {
  reason: string;
  /** ISO 8601, UTC. A stop that a person wrote may not say it: then it is the time of the object, or `null`. */
  since: string | null;
}

const READS_AT_ONCE = 32;

/** The stops in the data bucket, as people look at them. */
export class Stops extends SuppressionList {
  /** One stop, `undefined` when those mails are not stopped. */
  async find({ hash, of }: StopPlace): Promise<Stop | undefined> {
    try {
      const stored = await this.read({ hash, of });
      return stored && { hash, of, reason: stored.reason, since: stored.at ?? null };
    } catch (error) {
      // The functions do not send to an address whose stop they cannot read, either.
      if (!isUnreadableObject(error)) throw error;
      return { hash, of, reason: `cannot be read: ${error.message}`, since: null };
    }
  }

  /** Stops of all mail by hash, then those of readers by owner and kind. `only`: the hash of one address. */
  async list(only?: string): Promise<Stop[]> {
    const objects = await Array.fromAsync(this.listObjects(SUPPRESSIONS));
    const stops = await pLimit(READS_AT_ONCE).map(objects.flat(), async ({ Key = '', LastModified: at }) => {
      const place = stopInKey(Key);
      if (place === undefined || (only !== undefined && place.hash !== only)) return [];
      const stop = await this.find(place);
      return stop === undefined ? [] : [{ ...stop, since: stop.since ?? at?.toISOString() ?? null }];
    });
    return stops.flat();
  }
}

/** An address on the suppression list of SES. It is one list for the whole account. */
export interface SesStop {
  address: string;
  /** `bounced` or `complained`, for the reasons that SES has. */
  reason: string;
  /** ISO 8601, UTC. */
  since: string | null;
}

const REASONS: Readonly<Record<string, string>> = { BOUNCE: 'bounced', COMPLAINT: 'complained' };

function stopOf({ EmailAddress, Reason, LastUpdateTime: at }: SuppressedDestinationSummary): SesStop {
  const reason = REASONS[Reason ?? ''] ?? Reason ?? '';
  return { address: EmailAddress ?? '', reason, since: at?.toISOString() ?? null };
}

/** A client of SES v2. Region, credentials and endpoint come from the standard variables. */
export function createSesClient(): SESv2Client {
  return new SESv2Client({ maxAttempts: 4, requestHandler: requestHandler(8_000) });
}

export async function listSesStops(ses: SESv2Client): Promise<SesStop[]> {
  const stops: SesStop[] = [];
  const pages = paginateListSuppressedDestinations({ client: ses, pageSize: 1_000 }, {});
  for await (const { SuppressedDestinationSummaries: entries = [] } of pages)
    stops.push(...entries.map(stopOf));
  return stops;
}

async function readSesStop(ses: SESv2Client, EmailAddress: string): Promise<SesStop | undefined> {
  const found = ses.send(new GetSuppressedDestinationCommand({ EmailAddress }));
  const answer = await found.catch(when(NotFoundException, () => undefined));
  return answer?.SuppressedDestination && stopOf(answer.SuppressedDestination);
}

/** Returns what was removed. `spellings`: ways to write the address; SES may have it in any of them. */
export async function deleteSesStops(ses: SESv2Client, spellings: readonly string[]): Promise<SesStop[]> {
  const removed: SesStop[] = [];
  for (const address of new Set(spellings)) {
    const stop = await readSesStop(ses, address);
    if (stop === undefined) continue;
    await ses.send(new DeleteSuppressedDestinationCommand({ EmailAddress: address }));
    removed.push(stop);
  }
  return removed;
}
