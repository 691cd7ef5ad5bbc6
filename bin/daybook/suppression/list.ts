import { awsComplaint } from '../stage/aws-complaint.ts';
import type { CommandContext } from '../context.ts';
import type { ExitStatus } from '../perform.ts';
import { ownersInWords, registryAddresses } from './addresses.ts';
import { createSesClient, listSesStops } from './ses-stops.ts';
import type { SesStop } from './ses-stops.ts';
import { listStops } from './stops.ts';
import type { Stop } from './stops.ts';
import { utcMinute } from '../terminal/words.ts';
import { addressHash } from '#records/storage/keys.ts';
import type { KnownAddress } from './addresses.ts';

interface StoppedAddress {
  /** `null` when only its hash is known. */
  address: string | null;
  hash: string;
  stoppedBy: 'Daybook' | 'SES' | 'both';
  reason: string;
  /** ISO 8601, UTC. The earlier one of both lists. */
  since: string | null;
  /** The codes of the merchants that have it. */
  merchants: string[];
  /** The names of the groups that have it. */
  groups: string[];
}

function earlier(one: string | null, other: string | null): string | null {
  if (one === null || other === null) return one ?? other;
  return one < other ? one : other;
}

/** Both lists as one, in the order of Daybook's, then what only SES has. */
function joinedStops(
  stops: readonly Stop[],
  sesStops: readonly SesStop[],
  known: ReadonlyMap<string, KnownAddress>,
): StoppedAddress[] {
  const ofSes = new Map(sesStops.map((stop) => [addressHash(stop.address), stop]));
  const ownersOf = (hash: string) => {
    const { merchants = [], groups = [] } = known.get(hash) ?? {};
    return { merchants: merchants.map(({ merchantCode }) => merchantCode), groups };
  };
  const ours = stops.map(({ hash, reason, since }): StoppedAddress => {
    const also = ofSes.get(hash);
    return {
      address: known.get(hash)?.address ?? also?.address ?? null,
      hash,
      stoppedBy: also === undefined ? 'Daybook' : 'both',
      reason,
      since: also === undefined ? since : earlier(since, also.since),
      ...ownersOf(hash),
    };
  });
  const inOurs = new Set(stops.map(({ hash }) => hash));
  const others = [...ofSes].filter(([hash]) => !inOurs.has(hash));
  return [
    ...ours,
    ...others.map(([hash, { address, reason, since }]): StoppedAddress => {
      return { address, hash, stoppedBy: 'SES', reason, since, ...ownersOf(hash) };
    }),
  ];
}

const MOST_NAMED = 3;

/** The list of SES, `null` when it cannot be read. Our own list is worth showing then, too. */
async function sesList({ output }: CommandContext): Promise<SesStop[] | null> {
  const ses = createSesClient();
  try {
    return await listSesStops(ses);
  } catch (error) {
    const complaint = awsComplaint(error);
    if (complaint === undefined) throw error;
    output.note(output.noteStyle('yellow', `The list of SES is left out: ${complaint}`));
    return null;
  } finally {
    ses.destroy();
  }
}

function rowOf({ address, hash, stoppedBy, since, reason, ...owners }: StoppedAddress) {
  return [address ?? hash, stoppedBy, utcMinute(since), reason, ownersInWords(owners, MOST_NAMED) || '-'];
}

/** Does `daybook suppression list`. */
export async function list(
  context: CommandContext,
  { all }: { all?: true | undefined },
): Promise<ExitStatus> {
  const { output } = context;
  const stage = await context.stage();
  const [known, ours, ofSes] = await Promise.all([
    registryAddresses(context),
    listStops(stage.s3(), stage.bucket),
    sesList(context),
  ]);
  const joined = joinedStops(ours, ofSes ?? [], known);
  const isOurs = ({ stoppedBy, merchants, groups }: StoppedAddress) =>
    stoppedBy !== 'SES' || merchants.length > 0 || groups.length > 0;
  const addresses = all === true ? joined : joined.filter(isOurs);
  const result = { stage: stage.name, isListOfSesRead: ofSes !== null, addresses };
  output.result(result, () => {
    if (addresses.length === 0) output.line('No address of a merchant or a group is stopped.');
    output.table(
      ['Address', 'Stopped by', 'Since (UTC)', 'Reason', 'Merchants and groups'],
      addresses.map(rowOf),
    );
    const left = joined.length - addresses.length;
    if (left > 0) {
      output.note(
        `SES also has ${left.toLocaleString('en')} addresses that no merchant and no group has: --all lists them`,
      );
    }
  });
  return 0;
}
