import {
  DeleteSuppressedDestinationCommand,
  GetSuppressedDestinationCommand,
  NotFoundException,
  paginateListSuppressedDestinations,
  SESv2Client,
} from '@aws-sdk/client-sesv2';
import { requestHandler } from '#runtime/aws-clients.ts';

/** An address on the suppression list of SES. It is one list for the whole account. */
export interface SesStop {
  address: string;
  /** `bounced` or `complained`, for the reasons that SES has. */
  reason: string;
  /** ISO 8601, UTC. */
  since: string | null;
}

const REASONS: Readonly<Record<string, string>> = { BOUNCE: 'bounced', COMPLAINT: 'complained' };

interface Entry {
  EmailAddress?: string | undefined;
  Reason?: string | undefined;
  LastUpdateTime?: Date | undefined;
}

function stopOf({ EmailAddress: address = '', Reason: reason = '', LastUpdateTime: at }: Entry): SesStop {
  return { address, reason: REASONS[reason] ?? reason, since: at?.toISOString() ?? null };
}

/** A client of SES v2. Region, credentials and endpoint come from the standard variables. */
export function createSesClient(): SESv2Client {
  return new SESv2Client({ maxAttempts: 4, requestHandler: requestHandler(8_000) });
}

/** Reads the whole list of the account. */
export async function listSesStops(ses: SESv2Client): Promise<SesStop[]> {
  const stops: SesStop[] = [];
  const pages = paginateListSuppressedDestinations({ client: ses, pageSize: 1_000 }, {});
  for await (const { SuppressedDestinationSummaries: entries = [] } of pages)
    stops.push(...entries.map(stopOf));
  return stops;
}

/** `undefined` when SES does not have the address on its list. */
async function readSesStop(ses: SESv2Client, address: string): Promise<SesStop | undefined> {
  try {
    const { SuppressedDestination: entry } = await ses.send(
      new GetSuppressedDestinationCommand({ EmailAddress: address }),
    );
    return entry && stopOf(entry);
  } catch (error) {
    if (error instanceof NotFoundException) return undefined;
    throw error;
  }
}

/**
 * Removes an address from the list of SES.
 *
 * @param spellings ways in which the address is written; SES may have it in any of them
 * @returns what was removed
 */
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
