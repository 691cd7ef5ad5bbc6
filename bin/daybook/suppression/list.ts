import { awsComplaint } from '../stage/aws-complaint.ts';
import type { CommandContext } from '../context.ts';
import type { ExitStatus } from '../perform.ts';
import { joinedStops } from './joined-stops.ts';
import type { StoppedAddress } from './joined-stops.ts';
import { ownersInWords } from './owners-in-words.ts';
import { registryAddresses } from './registry-addresses.ts';
import { createSesClient, listSesStops } from './ses-stops.ts';
import type { SesStop } from './ses-stops.ts';
import { listStops } from './stops.ts';
import { utcMinute } from '../terminal/utc-minute.ts';

/** The most merchants and groups that a row names. */
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
