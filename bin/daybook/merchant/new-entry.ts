import { addDays, daysReaching } from '#records/day/business-day.ts';
import type { Day } from '#records/day/business-day.ts';
import { LANGUAGES } from '#registry/languages.ts';
import type { MerchantSettings } from '#registry/registry-schema.ts';
import type { Questions } from '../terminal/questions.ts';
import { UsageError } from '../terminal/command-errors.ts';
import type { Members } from '../registry/registry-text.ts';
import { memberChanges } from './member-values.ts';

/** The settings of a new merchant, as far as the command line says them. */
export interface EntryOptions {
  name?: string | undefined;
  recipients?: string | undefined;
  language?: string | undefined;
  timeZone?: string | undefined;
  reportAt?: string | undefined;
  reportFrom?: string | undefined;
  secretId?: string | undefined;
}

const DAY = 86_400_000;

function noFile(): never {
  throw new UsageError('a value cannot begin with "@"');
}

/** The value of a member. @throws {UsageError} when it cannot have that value */
function valueOf(member: string, text: string): unknown {
  return memberChanges([`${member}=${text}`], {}, noFile)[member];
}

/** Why a member cannot have that value, `undefined` when it can. */
function faultOf(member: string) {
  return (text: string): string | undefined => {
    try {
      valueOf(member, text);
      return undefined;
    } catch (error) {
      return error instanceof UsageError ? error.message : 'is not what it must be';
    }
  };
}

function firstReportedDay(reportAt: string, timeZone: string, now: number): Day | undefined {
  const [date] = daysReaching(reportAt, timeZone, now, now + 2 * DAY);
  return date === undefined ? undefined : addDays(date, -1);
}

/**
 * The entry of a new merchant: what was given, and answers for the rest. Members that are as in the defaults are left
 * out. `reportFrom` is the day of the first report, so that the lookback does not mail earlier days.
 *
 * @param defaults the settings of a merchant without own members
 * @throws {UsageError} when a value cannot be used, or nobody can answer
 */
export async function newEntry(
  questions: Questions,
  merchantCode: string,
  options: EntryOptions,
  defaults: MerchantSettings,
  now: number,
): Promise<Members> {
  const ask = (member: keyof EntryOptions, message: string, option: string, initial?: string) =>
    options[member] ?? questions.text({ message, option, initial, fault: faultOf(member) });
  // On a terminal, a person need not remove the code before they type the name.
  const without = questions.canAsk ? undefined : merchantCode;
  const named = await ask('name', 'Name in the mails (empty: the code)', '--name', without);
  const name = named === '' ? merchantCode : named;
  const recipients = await ask('recipients', 'Recipients, with commas between', '--recipients');
  const language =
    options.language ??
    (await questions.choice({
      message: 'Language of the mails',
      option: '--language',
      values: LANGUAGES,
      initial: defaults.language,
    }));
  const timeZone = await ask('timeZone', 'Time zone', '--time-zone', defaults.timeZone);
  const reportAt = await ask('reportAt', 'Yesterday is reported at', '--report-at', defaults.reportAt);
  const checked = {
    language: valueOf('language', language),
    timeZone: valueOf('timeZone', timeZone),
    reportAt: valueOf('reportAt', reportAt),
  };
  const { reportFrom = firstReportedDay(reportAt, timeZone, now), secretId } = options;
  return {
    merchantCode,
    ...(name !== merchantCode && { name: valueOf('name', name) }),
    recipients: recipients === '' ? [] : valueOf('recipients', recipients),
    ...(language !== defaults.language && { language: checked.language }),
    ...(timeZone !== defaults.timeZone && { timeZone: checked.timeZone }),
    ...(reportAt !== defaults.reportAt && { reportAt: checked.reportAt }),
    ...(reportFrom !== undefined && reportFrom !== '' && { reportFrom: valueOf('reportFrom', reportFrom) }),
    ...(secretId !== undefined && { secretId: valueOf('secretId', secretId) }),
  };
}
