import { addressHash } from '#records/storage/keys.ts';
import type { CommandContext } from '../context.ts';
import type { ExitStatus } from '../perform.ts';
import { UsageError } from '../terminal/command-errors.ts';
import { shown } from '../terminal/shown-text.ts';
import { givenAddress } from './given-address.ts';
import { missedMails } from './missed-mails.ts';
import type { MissedMail } from './missed-mails.ts';
import { registryAddresses } from './registry-addresses.ts';
import { createSesClient, deleteSesStops } from './ses-stops.ts';
import { deleteStop, readStop } from './stops.ts';
import { counted } from '../terminal/counted.ts';
import { utcMinute } from '../terminal/utc-minute.ts';

/** The most days that are searched for missed mails. */
const MOST_DAYS = 31;

function daysIn(text: string): number {
  const days = Number(text);
  if (/^\d{1,2}$/.test(text) && days <= MOST_DAYS) return days;
  throw new UsageError(`--days must be a whole number from 0 to ${MOST_DAYS}`);
}

/** The command that sends the mail of that day to the address. Recipients who have it do not get it again. */
function resendWords({ merchantCode, day, isComplaint }: MissedMail, address: string): string[] {
  const to = isComplaint ? ['--only', address] : ['--failed'];
  return ['report', merchantCode, '--day', day, '--resend', ...to];
}

/** Does `daybook suppression remove`. */
export async function remove(
  context: CommandContext,
  text: string,
  options: { days: string },
): Promise<ExitStatus> {
  const { output } = context;
  const [address, days] = [givenAddress(text), daysIn(options.days)];
  const stage = await context.stage();
  const [s3, bucket, hash] = [stage.s3(), stage.bucket, addressHash(address)];
  const [known, ours] = await Promise.all([registryAddresses(context), readStop(s3, bucket, hash)]);
  const owner = known.get(hash);
  const spellings = [address, address.toLowerCase(), ...(owner === undefined ? [] : [owner.address])];
  const ses = createSesClient();
  // SES first. As long as SES refuses the address, the next mail would bring our stop back.
  const ofSes = await deleteSesStops(ses, spellings).finally(() => ses.destroy());
  if (ours !== undefined) await deleteStop(s3, bucket, hash);
  const isRemoved = ours !== undefined || ofSes.length > 0;
  const { merchants = [], groups = [] } = owner ?? {};
  const missed = isRemoved
    ? await missedMails({ s3, bucket, hash, now: context.now(), days }, merchants)
    : [];
  const result = {
    stage: stage.name,
    address,
    hash,
    removed: { daybook: ours ?? null, ses: ofSes },
    merchants: merchants.map(({ merchantCode }) => merchantCode),
    groups,
    missed: missed.map((mail) => ({ ...mail, command: stage.lines.daybook(...resendWords(mail, address)) })),
  };
  output.result(result, () => {
    if (!isRemoved) {
      output.line(`${address} is not stopped, neither by Daybook nor by SES.`);
      if (owner === undefined) output.line('No merchant and no group has this address: is it misspelt?');
      return;
    }
    const since = (time: string | null) => (time === null ? '' : ` (since ${utcMinute(time)} UTC)`);
    if (ours !== undefined)
      output.line(`Removed from Daybook's list: ${shown(ours.reason)}${since(ours.since)}`);
    for (const stop of ofSes)
      output.line(`Removed from the list of SES: ${shown(stop.reason)}${since(stop.since)}`);
    if (merchants.length + groups.length === 0) {
      output.line('No merchant and no group has this address, so no mail goes to it.');
    }
    if (missed.length > 0) {
      output.line();
      output.line(`It missed ${counted(missed.length, 'mail')} in ${counted(days, 'day')}. To send them:`);
      for (const mail of missed) output.line(`  ${stage.lines.daybook(...resendWords(mail, address))}`);
    }
  });
  return isRemoved ? 0 : 1;
}
