import { addressHash } from '#records/storage/keys.ts';
import { LONGEST_OWN_WORDS } from '#records/storage/object-bounds.ts';
import type { CommandContext } from '../context.ts';
import type { ExitStatus } from '../perform.ts';
import { UsageError } from '../terminal/command-errors.ts';
import { shown } from '../terminal/shown-text.ts';
import { givenAddress, ownersInWords, registryAddresses } from './addresses.ts';
import { readStop, writeStop } from './stops.ts';
import { utcMinute } from '../terminal/words.ts';

const MOST_NAMED = 10;

/** Does `daybook suppression add`. */
export async function add(
  context: CommandContext,
  text: string,
  { reason }: { reason: string },
): Promise<ExitStatus> {
  const { output } = context;
  const address = givenAddress(text);
  if (reason.trim() === '' || reason.length > LONGEST_OWN_WORDS) {
    throw new UsageError(`--reason must have 1 to ${LONGEST_OWN_WORDS} characters: ledgers quote it`);
  }
  const stage = await context.stage();
  const hash = addressHash(address);
  const { merchants = [], groups = [] } = (await registryAddresses(context)).get(hash) ?? {};
  const at = new Date(context.now()).toISOString();
  const isNew = await writeStop(stage.s3(), stage.bucket, hash, { reason, at });
  const standing = isNew ? undefined : await readStop(stage.s3(), stage.bucket, hash);
  const owners = { merchants: merchants.map(({ merchantCode }) => merchantCode), groups };
  const named = ownersInWords(owners, MOST_NAMED);
  const stop = { reason: standing?.reason ?? reason, since: standing === undefined ? at : standing.since };
  output.result({ stage: stage.name, address, hash, isNew, ...stop, ...owners }, () => {
    if (isNew) output.line(`${address} gets no mail of a merchant or a group from now on: ${shown(reason)}`);
    else {
      const since = stop.since === null ? '' : ` (since ${utcMinute(stop.since)} UTC)`;
      output.line(`${address} was stopped before${since}: ${shown(stop.reason)}`);
    }
    output.line(
      named === '' ? 'No merchant and no group has this address now.' : `It is a recipient of ${named}.`,
    );
    output.line(`Undo it with: ${stage.lines.daybook('suppression', 'remove', address)}`);
  });
  return 0;
}
