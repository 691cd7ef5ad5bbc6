import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { basename, join, resolve } from 'node:path';
import { RetentionDays } from 'aws-cdk-lib/aws-logs';
import * as z from 'zod';
import { isDay, isTimeZone } from '#domain/day/business-day.ts';
import { fieldPath } from '#domain/json/schema-issue.ts';
import { everyHour, schedule } from './schedule-expression.ts';

/** A setting of a stage is missing or wrong; names the file and the setting. */
export class SettingsError extends Error {
  override readonly name = 'SettingsError';
}

const DOMAIN = /^(?=.{1,253}$)([a-z0-9]([a-z0-9-]{0,61}[a-z0-9])?\.)+[a-z]{2,63}$/;
const LOG_RETENTIONS = Object.values(RetentionDays).filter((value) => typeof value === 'number');

const domain = z.string().regex(DOMAIN, 'must be a domain such as mail.example.com, in lower case');
const address = z.email({ error: 'must be a mail address', abort: true });
/** The addresses of people: each becomes a resource or a right, or goes into a variable of 4 KB. */
const people = z
  .array(address)
  .max(20, 'must be 20 at the most: take the address of a group')
  .refine((all) => new Set(all).size === all.length, 'has an address twice');
const timeZone = z
  .string()
  // An offset such as +03:00 is a zone to JavaScript, and none to EventBridge.
  .refine(
    (name) => /^[A-Z]/i.test(name) && isTimeZone(name),
    'is no known time zone (IANA name, such as Asia/Kuwait)',
  );
const days = z.int('must be a whole number of days').min(1).max(3_650);
const origin = z.string().refine(
  // A comma may stand in a host, and separates origins in the functions' environment.
  (text) => URL.parse(text)?.origin === text && text.startsWith('https:') && !text.includes(','),
  'must be an origin such as https://api.example.com, without a path',
);

const settingsSchema = z
  .strictObject({
    /** Twelve digits; left out, the account of whoever deploys. */
    account: z
      .string()
      .regex(/^\d{12}$/, 'must be twelve digits')
      .optional(),
    region: z
      .string()
      .regex(/^[a-z]{2}(-[a-z]+)+-\d$/, 'must be a region such as eu-central-1')
      .refine((name) => !name.startsWith('cn-'), 'has no SES, by which mails are sent'),
    /** What becomes of buckets and keys when their stack is deleted. */
    removal: z.enum(['retain', 'destroy']),
    service: z.strictObject({
      /** Where the registry may send credentials, and nowhere else. */
      origins: z.array(origin).min(1),
    }),
    credentials: z.strictObject({
      /** Name of the secret that serves merchants without a `secretId` of their own. */
      secret: z.string().regex(/^[\w/+=.@-]{1,400}$/, 'must be the name of a secret'),
      /** Start of the names that a registry entry's `secretId` may have; left out, it may have none. */
      prefix: z
        .string()
        .regex(/^[\w/+=.@-]{1,399}\/$/, 'must be the start of a name and end in "/"')
        .optional(),
      /** The key of these secrets, where it is not the account's own for Secrets Manager. */
      keyArn: z
        .string()
        .regex(/^arn:[\w-]+:kms:[\w-]+:\d{12}:key\/[\w-]+$/, 'must be the ARN of a key')
        .optional(),
    }),
    mail: z.strictObject({
      /** The domain that mails are sent from; SES signs for it. */
      domain,
      /** The sender, an address of that domain. */
      from: address,
      /** Name shown beside it. */
      fromName: z
        .string()
        .regex(/^[^<>"\\\p{Cc}]{1,100}$/u, 'must be a name without < > " \\ or line breaks')
        .optional(),
      /** Where answers to mails go; left out, to the sender. */
      replyTo: address.optional(),
      /** Who takes people off the lists of recipients: mail programs offer to write there. */
      unsubscribe: address.optional(),
      /** The zone of that domain in Route 53, where the DKIM records are to be written by the deploy. */
      hostedZone: z
        .strictObject({ id: z.string().regex(/^Z[A-Z0-9]{1,31}$/, 'must be the id of a zone'), name: domain })
        .optional(),
      /** While SES is in its sandbox: the verified addresses that mail may go to. SES asks for rights on them, too. */
      sandboxRecipients: people.default([]),
    }),
    ops: z.strictObject({
      /** Who gets the notices by mail, through SES. */
      recipients: people.default([]),
      /** Who is subscribed to the topic of notices and alarms; each must confirm once. */
      subscribers: people.default([]),
      /** Where the runbook can be read; alarms link its headings. */
      runbook: z
        .url({ protocol: /^https?$/, error: 'must be a URL, https or http' })
        .max(500, 'must be 500 characters at the most')
        .refine((url) => !url.includes('#'), 'must have no fragment: each alarm has its own'),
    }),
    retention: z.strictObject({
      /** Invoices and refunds: customers' data. A day whose files are gone cannot be pulled again. */
      dataDays: days.min(14, 'must be 14 at least: lookback days read the refunds that were sealed before'),
      /** Manifests, and when a day was last pulled. */
      manifestDays: days.min(30, 'must be 30 at least: days are pulled again for a while'),
      /** Ledgers of mails. */
      ledgerDays: days,
      /** Access logs of the buckets. */
      accessLogDays: days,
      logDays: z.enum(RetentionDays, `must be one of ${LOG_RETENTIONS.join(', ')}`),
    }),
    schedules: z.strictObject({
      /** The zone in which cron(…) is read. */
      timeZone,
      daily: everyHour,
      alerts: schedule,
      watch: everyHour,
      sweep: everyHour,
    }),
    deadlines: z.strictObject({
      /** How long after a merchant's `reportAt` its report must be there. */
      deliveryMinutes: z.int().min(15).max(1_440),
      /** How long a rule may have no data before ops are told. */
      noDataMinutes: z.int().min(15).max(1_440),
      /** How long after a run died its mail is settled by the sweep: longer than it takes to run it once more. */
      unsettledMinutes: z.int().min(30).max(1_440),
    }),
    concurrency: z.strictObject({
      /** Merchants reported at the same time. */
      reports: z
        .int('must be a whole number')
        .min(1, 'must be 1 at least')
        .max(1_000, 'must be 1,000 at the most'),
      /** Alert checks at the same time. */
      alerts: z
        .int('must be a whole number')
        .min(1, 'must be 1 at least')
        .max(1_000, 'must be 1,000 at the most'),
      /** The share of merchants, percent, that may still fail at the second attempt before an execution fails. */
      toleratedFailurePercentage: z.number().min(0).max(100),
    }),
    lake: z.strictObject({
      /** The first day that tables know of. */
      firstDay: z.string().refine(isDay, 'must be a date (YYYY-MM-DD)'),
      /** What one query may read at the most, GiB. */
      scanLimit: z
        .number()
        .min(0.01, 'must be 0.01 GiB at least')
        .max(10_000, 'must be 10,000 GiB at the most'),
      /** How long answers of queries are kept. */
      resultDays: days,
    }),
    console: z.strictObject({
      /**
       * Shareable test events: in a registry that this stage creates and owns, in the one that the account and region
       * have already, or none.
       */
      testEvents: z.enum(['create-registry', 'existing-registry', 'none']),
    }),
  })
  .superRefine(({ mail, retention, ops }, context) => {
    const wrong = (path: string[], message: string) => context.addIssue({ code: 'custom', path, message });
    if (mail.from.split('@').at(-1)?.toLowerCase() !== mail.domain) {
      wrong(['mail', 'from'], `must be an address of mail.domain (${mail.domain})`);
    }
    if (mail.hostedZone !== undefined && !`.${mail.domain}`.endsWith(`.${mail.hostedZone.name}`)) {
      wrong(['mail', 'hostedZone', 'name'], `must be mail.domain (${mail.domain}) or the end of it`);
    }
    if (retention.manifestDays < retention.dataDays) {
      wrong(
        ['retention', 'manifestDays'],
        'must not be less than dataDays: what no manifest names is not data',
      );
    }
    if (retention.ledgerDays < retention.manifestDays) {
      wrong(
        ['retention', 'ledgerDays'],
        'must not be less than manifestDays: a day without its ledger is mailed again',
      );
    }
    if (ops.recipients.length + ops.subscribers.length === 0) {
      wrong(['ops'], 'needs recipients or subscribers: somebody must learn of what fails');
    }
  });

/** How one stage of Daybook is deployed; the name is that of its file. */
export type Settings = z.infer<typeof settingsSchema> & { stage: string };

const STAGES = join(import.meta.dirname, 'stages');
const STAGE_NAME = /^[a-z][a-z0-9-]{0,19}$/;

function fileOf(stage: string): string {
  if (stage.endsWith('.json')) return resolve(stage);
  const file = join(STAGES, `${stage}.json`);
  if (STAGE_NAME.test(stage) && existsSync(file)) return file;
  const known = readdirSync(STAGES).map((name) => basename(name, '.json'));
  throw new SettingsError(
    `stage "${stage}" is not known: there are ${known.join(', ')}, or give the path of a file`,
  );
}

/** A line for each setting that an issue is about. */
function lines(file: string, issue: z.core.$ZodIssue): string[] {
  if (issue.code === 'unrecognized_keys') {
    return issue.keys.map((key) => `${file}: ${fieldPath([...issue.path, key])}: is no setting`);
  }
  const missing = issue.input === undefined && ['invalid_type', 'invalid_value'].includes(issue.code);
  return [`${file}: ${fieldPath(issue.path)}: ${missing ? 'is missing' : issue.message}`];
}

/** @throws {SettingsError} naming each setting that is missing or wrong */
export function parseSettings(stage: string, json: unknown, file = `${stage}.json`): Settings {
  if (!STAGE_NAME.test(stage)) {
    throw new SettingsError(`${file}: a stage is named with up to 20 small letters, digits and "-"`);
  }
  const parsed = settingsSchema.safeParse(json, { reportInput: true });
  if (parsed.success) return { ...parsed.data, stage };
  throw new SettingsError(parsed.error.issues.flatMap((issue) => lines(file, issue)).join('\n'));
}

/**
 * Reads the settings of a stage.
 *
 * @param stage the name of a file in `lib/stages`, or the path of another file of settings
 * @throws {SettingsError} naming the setting that is missing or wrong
 */
export function readSettings(stage: string): Settings {
  const file = fileOf(stage);
  let json: unknown;
  try {
    json = JSON.parse(readFileSync(file, 'utf8'));
  } catch (error) {
    const reason = error instanceof SyntaxError ? 'is not JSON' : 'cannot be read';
    throw new SettingsError(`${file} ${reason}`, { cause: error });
  }
  return parseSettings(basename(file, '.json'), json, file);
}
