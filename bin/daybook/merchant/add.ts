import { addDays, daysReaching } from '#records/day/business-day.ts';
import type { Day } from '#records/day/business-day.ts';
import { LANGUAGES } from '#registry/languages.ts';
import type { MerchantSettings } from '#registry/registry-schema.ts';
import type { Questions } from '../terminal/questions.ts';
import { UsageError, CommandError, InterruptedError } from '../terminal/command-errors.ts';
import type { Members } from '../registry/registry-text.ts';
import { memberChanges } from './set.ts';
import { isMembers } from '#records/json/exact-json.ts';
import { isSameJson } from '#records/json/same-json.ts';
import { DaybookError } from '#records/errors/daybook-error.ts';
import { codesInEntries, parseRegistry } from '#registry/registry.ts';
import { merchantSettings } from '#registry/merchants.ts';
import { MERCHANT_CODE } from '#records/storage/keys.ts';
import { assertCode } from '../stage/known-names.ts';
import type { CommandContext, ExitStatus } from '../context.ts';
import {
  assertNoNewProblems,
  takesEffect,
  editRegistry,
  forceOf,
  readRegistry,
} from '../registry/stored-registry.ts';
import { entryOf, withEntry as withMerchant } from '../registry/registry-text.ts';
import { mayMail } from '../report/asked-mail.ts';
import { showReport } from '../report/report.ts';
import type { StoredRegistry } from '../registry/stored-registry.ts';
import { readEntryInput } from '../secret/entry-input.ts';
import {
  editEntry,
  merchantSecret,
  readEntry,
  settingsOrDefaults,
  prove,
} from '../secret/merchant-secret.ts';
import type { MerchantSecret } from '../secret/merchant-secret.ts';
import { entryIn, withEntry, secretText } from '../secret/stored-secret.ts';
import { awsComplaint } from '../stage/aws-complaint.ts';
import type { Stage } from '../stage/stage.ts';
import { groupsInWords, groupsOf } from './show.ts';
import { reportAnswerSchema } from '../stage/function-answers.ts';
import type { ReportAnswer } from '../stage/function-answers.ts';
import { answerOf } from '../stage/invoke-function.ts';

type Given = 'name' | 'recipients' | 'language' | 'timeZone' | 'reportAt' | 'reportFrom' | 'secretId';
type EntryOptions = Partial<Record<Given, string | undefined>>;

const DAY = 86_400_000;

function noFile(): never {
  throw new UsageError('a value cannot begin with "@"');
}

function valueOf(member: string, text: string): unknown {
  return memberChanges([`${member}=${text}`], {}, noFile)[member];
}

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
  const ask = (member: Given, message: string, option: string, initial?: string) =>
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
  const membersOf = (given: Readonly<Record<string, string | undefined>>) =>
    Object.entries(given)
      .filter(([member, text]) => text !== undefined && text !== usual[member])
      .map(([member, text = '']) => [member, valueOf(member, text) ?? EMPTY[member]] as const);
  const asked = membersOf({ name, recipients, language, timeZone, reportAt });
  const { reportFrom = firstReportedDay(reportAt, timeZone, now), secretId } = options;
  return { merchantCode, ...Object.fromEntries([...asked, ...membersOf({ reportFrom, secretId })]) };
}

interface TryOptions {
  dryRun?: boolean | undefined;
  preview?: string | undefined;
}

async function offerTries(
  context: CommandContext,
  stage: Stage,
  merchantCode: string,
  options: TryOptions,
): Promise<{ dryRun: ReportAnswer | null; preview: ReportAnswer | null }> {
  const { questions } = context;
  const { canAsk } = questions;
  const tryReport = (doing: string, event: object) =>
    answerOf(
      stage,
      'daily-report',
      { day: 'yesterday', merchantCode, ...event },
      { schema: reportAnswerSchema, context, doing, nameOf: () => '--preview' },
    );
  const isDry =
    options.dryRun ?? (canAsk && (await questions.confirm("Make yesterday's report, without a mail?")));
  const dryRun = isDry ? await tryReport("Making yesterday's report", { dryRun: true }) : null;
  const to =
    options.preview ??
    (canAsk
      ? await questions.text({
          message: "Mail yesterday's report as a preview to (empty: nobody)",
          option: '--preview',
        })
      : '');
  const preview = to === '' ? null : await tryReport('Mailing the preview', { to: [to] });
  return { dryRun, preview };
}

type NewMerchant = Awaited<ReturnType<typeof entryFor>>;

function askCode({ questions }: CommandContext): Promise<string> {
  return questions.text({
    message: "The merchant's code at the service",
    option: "the merchant's code",
    fault: (text) => (MERCHANT_CODE.test(text) ? undefined : 'Letters, digits and "-", 64 at most.'),
  });
}

async function entryFor(
  context: CommandContext,
  { text }: StoredRegistry,
  merchantCode: string,
  options: EntryOptions,
) {
  const registry = parseRegistry(text);
  if (codesInEntries(registry).has(merchantCode)) {
    const { name, recipients, language, timeZone, reportAt, reportFrom, secretId } = options;
    const given = [name, recipients, language, timeZone, reportAt, reportFrom, secretId];
    if (context.questions.canAsk || given.some((value) => value !== undefined)) {
      context.output.note(
        `${merchantCode} is in the registry already: its settings stay (the command merchant set changes them).`,
      );
    }
    return { entry: entryOf(text, merchantCode), after: text, isInRegistry: true };
  }
  const defaults = settingsOrDefaults(registry, merchantCode);
  const entry = await newEntry(context.questions, merchantCode, options, defaults, context.now());
  return { entry, after: withMerchant(text, entry), isInRegistry: false };
}

async function credentialsFor(context: CommandContext, { merchantCode, place, client }: MerchantSecret) {
  const known = entryIn(await secretText(client, place.name), merchantCode, place);
  if (isMembers(known)) {
    context.output.note(`${place.name} has credentials of ${merchantCode} already: they are used.`);
    return { members: known, isInSecret: true };
  }
  return { members: await readEntryInput(context, false), isInSecret: false };
}

function addTo(text: string, merchantCode: string, entry: Members): string {
  if (!codesInEntries(parseRegistry(text)).has(merchantCode)) return withMerchant(text, entry);
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

/** Writes the secret's entry first: a merchant in the registry without credentials would fail at its next report. */
async function write(
  stage: Stage,
  stored: StoredRegistry,
  secret: MerchantSecret,
  { entry, isInRegistry }: NewMerchant,
  credentials: { members: Members; isInSecret: boolean },
): Promise<void> {
  const { merchantCode, place } = secret;
  const steps = [
    {
      what: `the credentials in ${place.name}`,
      isDone: credentials.isInSecret,
      perform: () => editEntry(secret, undefined, credentials.members),
    },
    {
      what: 'the entry in the registry',
      isDone: isInRegistry,
      perform: () => editRegistry(stage, stored, (text) => addTo(text, merchantCode, entry)),
    },
  ].filter(({ isDone }) => !isDone);
  for (const [index, { perform }] of steps.entries()) {
    try {
      await perform();
    } catch (error) {
      const names = steps.map(({ what }) => what);
      throw halfWay(error, names.slice(0, index), names.slice(index));
    }
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
  const merchant = await entryFor(context, stored, merchantCode, options);
  assertNoNewProblems(stage, stored.text, merchant.after);
  const registry = parseRegistry(merchant.after);
  const settings = merchantSettings(registry, merchantCode);
  const secret = merchantSecret(stage, settings);
  const credentials = await credentialsFor(context, secret);
  const { current } = readEntry(secret, credentials.members);
  // There must be room for them before anything is tried.
  withEntry(
    await secretText(secret.client, secret.place.name),
    merchantCode,
    credentials.members,
    secret.place,
  );
  const proof = await prove(stage, registry.service, settings, current, context.now);
  if (!proof.serves) {
    throw new CommandError(
      `nothing was written: the service does not take the credentials: ${proof.message}. ${
        credentials.isInSecret
          ? `Replace them with "${stage.lines.daybook('secret', 'put', merchantCode)}"`
          : 'Compare them with what the service shows for this merchant'
      }`,
    );
  }
  const { preview } = options;
  if (preview !== undefined && preview !== '') {
    const what = `a preview of yesterday's report of ${merchantCode}`;
    if (!(await mayMail(context, { what, to: [preview] }))) return 1;
  }
  await context.whole(`${merchantCode} is added.`, () => write(stage, stored, secret, merchant, credentials));
  const force = await forceOf(stage, (await readRegistry(stage)).text);
  const { warning } = force;
  if (!output.isJson) {
    const isNew = !merchant.isInRegistry || !credentials.isInSecret;
    const done = isNew ? `${merchantCode} is added.` : 'Nothing had to be written.';
    output.note(`The service takes the credentials. ${done}`);
  }
  // The functions do not know the merchant as long as the last good registry serves.
  const tried =
    warning === null ? await tries(context, stage, merchantCode, options) : { dryRun: null, preview: null };
  const { all: groups } = groupsOf(registry, merchantCode);
  const { name, currency, reportAt, timeZone, reportFrom } = settings;
  const { entry } = merchant;
  output.result({ merchantCode, secret: secret.place.name, entry, groups, warning, ...tried }, () => {
    if (tried.dryRun !== null) {
      const { dryRun: answer } = tried;
      showReport(output, { name, currency, answer, isDryRun: true, lines: stage.lines });
    }
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

async function tries(context: CommandContext, stage: Stage, merchantCode: string, options: TryOptions) {
  try {
    return await offerTries(context, stage, merchantCode, options);
  } catch (error) {
    // The merchant is there. Only the try did not work.
    if (error instanceof InterruptedError) return { dryRun: null, preview: null };
    const why = `${merchantCode} is added, and the try failed`;
    if (error instanceof UsageError) throw new UsageError(`${why}: ${error.message}`, { cause: error });
    if (error instanceof CommandError) throw new CommandError(`${why}: ${error.message}`, { cause: error });
    throw error;
  }
}
