import { addDays, daysReaching } from '#records/day/business-day.ts';
import { DaybookError } from '#records/errors/daybook-error.ts';
import { isMembers } from '#records/json/exact-json.ts';
import { isSameJson } from '#records/json/same-json.ts';
import { MERCHANT_CODE } from '#records/storage/keys.ts';
import { LANGUAGES } from '#registry/languages.ts';
import { merchantSettings } from '#registry/merchants.ts';
import type { MerchantSettings } from '#registry/registry-schema.ts';
import { codesInEntries, parseRegistry } from '#registry/registry.ts';
import type { Registry } from '#registry/registry.ts';
import type { CommandContext, ExitStatus } from '../context.ts';
import { entryOf, hasEntry, withEntry } from '../registry/registry-text.ts';
import type { Members } from '#records/json/exact-json.ts';
import {
  assertNoNewProblems,
  takesEffect,
  editRegistry,
  forceOf,
  readRegistry,
} from '../registry/stored-registry.ts';
import type { StoredRegistry } from '../registry/stored-registry.ts';
import { mayMail } from '../report/asked-mail.ts';
import { showReport } from '../report/report.ts';
import { readEntryInput } from '../secret/entry-input.ts';
import { merchantSecret, prove, settingsOrDefaults } from '../secret/merchant-secret.ts';
import type { MerchantSecret } from '../secret/stored-secret.ts';
import { awsComplaint } from '../stage/aws-complaint.ts';
import { reportAnswerSchema } from '../stage/function-answers.ts';
import type { ReportAnswer } from '../stage/function-answers.ts';
import { answerOf } from '../stage/invoke-function.ts';
import { assertCode } from '../stage/known-names.ts';
import type { Stage } from '../stage/stage.ts';
import { UsageError, CommandError, InterruptedError } from '../terminal/command-errors.ts';
import type { Questions } from '../terminal/questions.ts';
import { memberChanges } from './set.ts';
import { groupsInWords, groupsOf } from './show.ts';

const MEMBERS = ['name', 'recipients', 'language', 'timeZone', 'reportAt', 'reportFrom', 'secretId'] as const;
type Member = (typeof MEMBERS)[number];
type EntryOptions = Partial<Record<Member, string | undefined>>;

const TWO_DAYS = 2 * 86_400_000;

function noFile(): never {
  throw new UsageError('a value cannot begin with "@"');
}

function valueOf(member: string, text: string): unknown {
  return memberChanges([`${member}=${text}`], {}, noFile)[member];
}

function faultOf(member: Member) {
  return (text: string): string | undefined => {
    try {
      valueOf(member, text);
      return undefined;
    } catch (error) {
      return error instanceof UsageError ? error.message : 'is not what it must be';
    }
  };
}

/** What an empty text means, where that is not the default. */
const EMPTY: Members = { recipients: [] };

/** Members that are as in the defaults are left out. `reportFrom` is set, so that the lookback mails no earlier days. */
async function newEntry(
  questions: Questions,
  merchantCode: string,
  options: EntryOptions,
  defaults: MerchantSettings,
  now: number,
): Promise<Members> {
  const ask = (member: Member, message: string, option: string, initial?: string) =>
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
  const usual: Members = { ...defaults, name: merchantCode, recipients: undefined, reportFrom: '' };
  const membersOf = (given: EntryOptions) =>
    Object.entries(given)
      .filter(([member, text]) => text !== undefined && text !== usual[member])
      .map(([member, text = '']) => [member, valueOf(member, text) ?? EMPTY[member]] as const);
  const asked = membersOf({ name, recipients, language, timeZone, reportAt });
  const [firstReport] = daysReaching(reportAt, timeZone, now, now + TWO_DAYS);
  const { reportFrom = firstReport && addDays(firstReport, -1), secretId } = options;
  return { merchantCode, ...Object.fromEntries([...asked, ...membersOf({ reportFrom, secretId })]) };
}

function askCode({ questions }: CommandContext): Promise<string> {
  return questions.text({
    message: "The merchant's code at the service",
    option: "the merchant's code",
    fault: (text) => (MERCHANT_CODE.test(text) ? undefined : 'Letters, digits and "-", 64 at most.'),
  });
}

/** The entry that is there, or a new one. `after`: the registry with it. */
async function entryFor(
  { questions, output, now }: CommandContext,
  { text, registry }: StoredRegistry & { registry: Registry },
  merchantCode: string,
  options: EntryOptions,
) {
  if (codesInEntries(registry).has(merchantCode)) {
    if (questions.canAsk || MEMBERS.some((member) => options[member] !== undefined)) {
      output.note(
        `${merchantCode} is in the registry already: its settings stay (the command merchant set changes them).`,
      );
    }
    return { entry: entryOf(text, merchantCode), after: text, isInRegistry: true };
  }
  const defaults = settingsOrDefaults(registry, merchantCode);
  const entry = await newEntry(questions, merchantCode, options, defaults, now());
  return { entry, after: withEntry(text, entry), isInRegistry: false };
}

async function credentialsFor(context: CommandContext, secret: MerchantSecret) {
  const known = await secret.entry();
  if (!isMembers(known)) return { members: await readEntryInput(context, false), isInSecret: false };
  context.output.note(`${secret.name} has credentials of ${secret.merchantCode} already: they are used.`);
  return { members: known, isInSecret: true };
}

function addTo(text: string, merchantCode: string, entry: Members): string {
  if (!hasEntry(text, merchantCode)) return withEntry(text, entry);
  if (isSameJson(entryOf(text, merchantCode), entry)) return text;
  throw new CommandError(`somebody else added ${merchantCode} at this moment, with other settings`);
}

/** What failed half way, in a line that says what was written. */
function halfWay(error: unknown, written: readonly string[], left: readonly string[]): unknown {
  const reason =
    error instanceof CommandError || error instanceof DaybookError ? error.message : awsComplaint(error);
  if (reason === undefined) return error;
  const done = written.length === 0 ? 'Nothing was written' : `Written: ${written.join(' and ')}`;
  return new CommandError(
    `${reason}. ${done}. Not written: ${left.join(' and ')}. Run the same command again: it continues from here`,
    { cause: error },
  );
}

/** Does one step after the other. @throws {CommandError} that says which are done, when one fails */
async function perform(steps: readonly { what: string; work: () => Promise<unknown> }[]): Promise<void> {
  const names = steps.map(({ what }) => what);
  for (const [index, { work }] of steps.entries()) {
    try {
      await work();
    } catch (error) {
      throw halfWay(error, names.slice(0, index), names.slice(index));
    }
  }
}

interface TryOptions {
  dryRun?: boolean | undefined;
  preview?: string | undefined;
}

const NOT_TRIED = { dryRun: null, preview: null };

/** Makes yesterday's report, and mails a preview of it, if that is asked for. The merchant is there, even if that does not work. */
async function tries(
  context: CommandContext,
  stage: Stage,
  merchantCode: string,
  options: TryOptions,
): Promise<Record<'dryRun' | 'preview', ReportAnswer | null>> {
  const { questions } = context;
  const { canAsk } = questions;
  const tryReport = (doing: string, members: object) => {
    const event = { day: 'yesterday', merchantCode, ...members };
    const how = { schema: reportAnswerSchema, context, doing, nameOf: () => '--preview' };
    return answerOf(stage, 'daily-report', event, how);
  };
  try {
    const isDry =
      options.dryRun ?? (canAsk && (await questions.confirm("Make yesterday's report, without a mail?")));
    const dryRun = isDry ? await tryReport("Making yesterday's report", { dryRun: true }) : null;
    const message = "Mail yesterday's report as a preview to (empty: nobody)";
    const to = options.preview ?? (canAsk ? await questions.text({ message, option: '--preview' }) : '');
    return { dryRun, preview: to === '' ? null : await tryReport('Mailing the preview', { to: [to] }) };
  } catch (error) {
    if (error instanceof InterruptedError) return NOT_TRIED;
    if (!(error instanceof UsageError || error instanceof CommandError)) throw error;
    error.message = `${merchantCode} is added, and the try failed: ${error.message}`;
    throw error;
  }
}

/** Adds a merchant: proves its credentials, writes secret and registry, and tries a report. Goes on with an earlier try. */
export async function add(
  context: CommandContext,
  given: string | undefined,
  options: EntryOptions & TryOptions,
): Promise<ExitStatus> {
  const { output } = context;
  const stage = await context.stage();
  const stored = await readRegistry(stage);
  const merchantCode = given ?? (await askCode(context));
  assertCode(merchantCode);
  const { entry, after, isInRegistry } = await entryFor(context, stored, merchantCode, options);
  assertNoNewProblems(stage, stored.text, after);
  const registry = isInRegistry ? stored.registry : parseRegistry(after);
  const settings = merchantSettings(registry, merchantCode);
  const secret = merchantSecret(stage, settings);
  const { members, isInSecret } = await credentialsFor(context, secret);
  const { current } = secret.read(members);
  // There must be room for them before anything is tried.
  await secret.assertRoom(members);
  const proof = await prove(stage, registry.service, settings, current, context.now);
  if (!proof.serves) {
    const mend = isInSecret
      ? `Replace them with "${stage.lines.daybook('secret', 'put', merchantCode)}"`
      : 'Compare them with what the service shows for this merchant';
    throw new CommandError(
      `nothing was written: the service does not take the credentials: ${proof.message}. ${mend}`,
    );
  }
  const { preview = '' } = options;
  const what = `a preview of yesterday's report of ${merchantCode}`;
  if (!(await mayMail(context, what, { to: preview === '' ? [] : [preview] }))) return 1;
  // The secret's entry first: a merchant in the registry without credentials would fail at its next report.
  const putSecret = () => secret.put(undefined, members);
  const putEntry = () => editRegistry(stage, stored, (text) => addTo(text, merchantCode, entry));
  const steps = [
    { what: `the credentials in ${secret.name}`, isDone: isInSecret, work: putSecret },
    { what: 'the entry in the registry', isDone: isInRegistry, work: putEntry },
  ].filter(({ isDone }) => !isDone);
  await context.whole(`${merchantCode} is added.`, () => perform(steps));
  const force = await forceOf(stage, (await readRegistry(stage)).text);
  const { warning } = force;
  if (!output.isJson) {
    const done = steps.length > 0 ? `${merchantCode} is added.` : 'Nothing had to be written.';
    output.note(`The service takes the credentials. ${done}`);
  }
  // The functions do not know the merchant as long as the last good registry serves.
  const tried = warning === null ? await tries(context, stage, merchantCode, options) : NOT_TRIED;
  const { all: groups } = groupsOf(registry, merchantCode);
  const { reportAt, timeZone, reportFrom } = settings;
  output.result({ merchantCode, secret: secret.name, entry, groups, warning, ...tried }, () => {
    if (tried.dryRun !== null) showReport(context, settings, tried.dryRun, true);
    if (tried.preview !== null) output.line(`The preview of ${tried.preview.day} is mailed.`);
    if (warning === null) {
      const from = reportFrom === undefined ? '' : `, first the report of ${reportFrom}`;
      output.line(`${merchantCode} gets its reports at ${reportAt} (${timeZone})${from}.`);
      if (groups.length > 0) output.line(`Pages of ${groupsInWords(groups)} have its figures, too.`);
    }
    output.line(takesEffect(stage, force));
  });
  return warning === null ? 0 : 1;
}
