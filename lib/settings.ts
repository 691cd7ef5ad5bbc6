import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { basename, join, resolve } from 'node:path';
import { RetentionDays } from 'aws-cdk-lib/aws-logs';
import * as z from 'zod';
import { WEEKDAYS, isDay, isTimeZone } from '#records/day/business-day.ts';
import { MERCHANT_CODE } from '#records/storage/keys.ts';
import { fieldPath } from '#records/json/schema-issue.ts';
import { bareAddress } from '#registry/mail-address.ts';
import { environmentSchema, people } from '#registry/environment.ts';
import { EVENT_TYPES } from '#watch/announce/event-schemas.ts';
import { pastedLine } from '#mail/notices/ops-command.ts';
import { everyHour, schedule } from './schedule.ts';

/** A stage is not named or not known, or a setting of it is missing or wrong. The message says which, and what to use. */
export class SettingsError extends Error {
  override readonly name = 'SettingsError';
}

const STAGES = join(import.meta.dirname, 'stages');
/** The name of a stage, and of its file. It is a part of the names of resources. */
const STAGE_NAME = /^[a-z][a-z0-9-]{0,19}$/;

function choices(): string {
  const known = readdirSync(STAGES).map((file) => `-c stage=${basename(file, '.json')}`);
  return `use ${known.join(', ')}, or the path of your own file, such as -c stage=../daybook/prod.json`;
}

/**
 * The settings file of a stage. There is no default: `cdk destroy` must never take a stage that nobody named.
 * @param stage the name of a file in `lib/stages`, or the path of another settings file
 * @throws {SettingsError} when no stage is named, or there is none of that name
 */
function stageFile(stage: unknown): string {
  if (stage === undefined || stage === '') throw new SettingsError(`no stage is named: ${choices()}`);
  if (typeof stage === 'string') {
    if (stage.endsWith('.json')) return resolve(stage);
    const file = join(STAGES, `${stage}.json`);
    if (STAGE_NAME.test(stage) && existsSync(file)) return file;
  }
  throw new SettingsError(`stage ${JSON.stringify(stage)} is not known: ${choices()}`);
}

const DOMAIN = /^(?=.{1,253}$)([a-z0-9]([a-z0-9-]{0,61}[a-z0-9])?\.)+[a-z]{2,63}$/;
const LOG_RETENTIONS = Object.values(RetentionDays).filter((value) => typeof value === 'number');

const domain = z.string().regex(DOMAIN, 'must be a domain such as mail.example.com, in lower case');
const timeZone = z
  .string()
  // An offset such as +03:00 is a zone for JavaScript, but not for EventBridge.
  .refine(
    (name) => /^[A-Z]/i.test(name) && isTimeZone(name),
    'is no known time zone (IANA name, such as Asia/Kuwait)',
  );
const days = z.int('must be a whole number of days').min(1).max(3_650);
/** What the functions read as well is checked by their own schema. */
const told = environmentSchema.unwrap().shape;

/** Lambda allows no smaller limit for a queue. */
const runs = z.int('must be a whole number').min(2, 'must be at least 2').max(1_000, 'must be 1,000 at most');

const CODES = 'must be "all" or a list of 1 to 1,000 codes of merchants, each once';

const group = z.strictObject({
  /** A part of the names of its database, workgroup and keys. */
  name: z
    .string()
    .regex(/^[a-z](_?[a-z0-9]){0,19}$/, 'must be a name of up to 20 small letters, digits and single "_"')
    .refine((name) => name !== 'history', 'is the name of the workgroup that keeps the history'),
  /** The codes that its people may see, or every merchant. */
  merchants: z.union(
    [
      z.literal('all'),
      z
        .array(z.string().regex(MERCHANT_CODE, 'must be the code of a merchant'))
        .min(1, CODES)
        .max(1_000, CODES)
        .refine((codes) => new Set(codes).size === codes.length, CODES),
    ],
    CODES,
  ),
  /** Whether they may see customers' data, such as names and phone numbers. */
  personal: z.boolean().default(false),
});

/** As EventBridge takes it: a \* would be a parameter, and a template would show a password. */
const https = z
  .string()
  .regex(
    /^https:\/\/[\w.-]+(?::\d+)?(?:[/?](?:%[\dA-Fa-f]{2}|[-().~!';/?:@&=+$,\w])*)?$/,
    'must be a URL with https, of signs that need no escape, without password, "*" and "#"',
  )
  .max(2_048, 'must be a URL with https, of 2,048 characters at most');
const names = z
  .array(z.string().regex(MERCHANT_CODE, 'must be the code of a merchant or the name of a group'))
  .min(1, 'names nobody')
  .max(20, 'must be 20 at most: a pattern of EventBridge has no room for more');

/** An address of another system that gets events (docs/events.md). */
const webhook = z.strictObject({
  /** A part of the names of its resources. */
  name: z
    .string()
    .regex(/^[a-z][a-z0-9-]{0,29}$/, 'must be a name of up to 30 small letters, digits and "-"'),
  url: https,
  of: z.union(
    [z.literal('all'), z.strictObject({ merchants: names }), z.strictObject({ groups: names })],
    'must be "all", or have merchants or groups: a list of 1 to 20',
  ),
  types: z
    .array(z.enum(EVENT_TYPES, `must be of ${EVENT_TYPES.join(', ')}`))
    .min(1, 'names nothing')
    .optional(),
  signIn: z.discriminatedUnion('by', [
    z.strictObject({
      by: z.literal('key'),
      header: z
        .string()
        .regex(/^[\w-]{1,64}$/, 'must be the name of a header')
        .default('x-api-key'),
    }),
    z.strictObject({ by: z.literal('basic') }),
    z.strictObject({ by: z.literal('oauth'), tokenUrl: https }),
  ]),
  /** The name of the secret with what it signs in with. */
  secret: told.credentials.shape.secret,
  /** The most requests a second. */
  rate: z.int().min(1).max(300).default(10),
  /** How often a request that fails is tried again, within a day. */
  retries: z.int().min(0).max(185).default(185),
});
export type Webhook = z.infer<typeof webhook>;

const settingsSchema = z
  .strictObject({
    /** Twelve digits. Default: the account of the person who deploys. */
    account: z
      .string()
      .regex(/^\d{12}$/, 'must be twelve digits')
      .optional(),
    region: z
      .string()
      .regex(/^[a-z]{2}(-[a-z]+)+-\d$/, 'must be a region such as eu-central-1')
      .refine((name) => !name.startsWith('cn-'), 'has no SES, which sends the mails'),
    /** What happens to buckets and keys when their stack is deleted. */
    removal: z.enum(['retain', 'destroy']),
    service: z.strictObject(told.service.shape),
    credentials: z.strictObject({
      ...told.credentials.shape,
      /** The key of these secrets, if it is not the account's own key for Secrets Manager. */
      keyArn: z
        .string()
        .regex(/^arn:[\w-]+:kms:[\w-]+:\d{12}:key\/[\w-]+$/, 'must be the ARN of a key')
        .optional(),
    }),
    mail: z.strictObject({
      domain,
      ...told.mail.shape,
      /** The zone of that domain in Route 53, if the deploy shall write the DKIM records. */
      hostedZone: z
        .strictObject({ id: z.string().regex(/^Z[A-Z0-9]{1,31}$/, 'must be the id of a zone'), name: domain })
        .optional(),
      /** While SES is in its sandbox: the verified addresses that may get mail. SES also asks for rights on them. */
      sandboxRecipients: people().default([]),
    }),
    branding: z.strictObject(told.branding.shape).prefault({}),
    /** Whether a file that is too large for a mail becomes a link in it. */
    links: z.boolean('must be true or false').default(false),
    /** Whether the readers of a mail can stop its kind themselves, over the web. */
    unsubscribe: z.boolean('must be true or false').default(false),
    ops: z.strictObject({
      recipients: told.ops.shape.recipients,
      /** Who is subscribed to the topic of notices and alarms. Each must confirm once. */
      subscribers: people().default([]),
      runbook: told.ops.shape.runbook.transform((url, context) => {
        if (url === undefined) context.addIssue({ code: 'custom', message: 'is missing' });
        return url ?? '';
      }),
    }),
    retention: z.strictObject({
      /** Invoices and refunds: customers' data. A day without its files cannot be pulled again. */
      dataDays: days.min(14, 'must be at least 14: lookback days read refunds that were sealed earlier'),
      /** Manifests, and the times of the last pulls. */
      manifestDays: days.min(30, 'must be at least 30: days are pulled again for a while'),
      ledgerDays: days,
      /** They say who read an object, and grow with each request. */
      accessLogDays: days.default(90),
      logDays: z.enum(RetentionDays, `must be one of ${LOG_RETENTIONS.join(', ')}`),
    }),
    schedules: z.strictObject({
      timeZone,
      daily: everyHour,
      alerts: schedule,
      watch: everyHour,
      sweep: everyHour,
    }),
    deadlines: z.strictObject(told.deadlines.shape),
    concurrency: z.strictObject({
      reports: runs,
      backfills: runs,
      alerts: runs,
    }),
    lake: z.strictObject({
      firstDay: z.string().refine(isDay, 'must be a date (YYYY-MM-DD)'),
      /** The most that one query may read, GiB. */
      scanLimit: z.number().min(0.01, 'must be at least 0.01 GiB').max(10_000, 'must be 10,000 GiB at most'),
      resultDays: days,
      /** Whether the history is kept. `false` removes both alarms, not the tables, and the schedule only keeps merchants. */
      history: z.boolean(),
      /** When the history is kept, in `schedules.timeZone`. */
      schedules: z.strictObject({
        look: everyHour,
        /** The first look after it merges. It is after the hours of the reports. */
        mergeAt: z.string().regex(/^([01]\d|2[0-3]):[0-5]\d$/, 'must be a time of day such as 08:00'),
        /** The tables are maintained after that merge. */
        maintainOn: z.enum(WEEKDAYS, `must be one of ${WEEKDAYS.join(', ')}`),
      }),
      /** People who may see some merchants only, or no customers' data. Each group has a copy of the history. */
      groups: z
        .array(group)
        .max(10, 'must be 10 at most: each is a copy of the history')
        .refine(
          (all) => new Set(all.map(({ name }) => name.replaceAll('_', ''))).size === all.length,
          'has a name twice',
        )
        .default([]),
    }),
    /** Whether other systems are told what happens, and where. Left out: not. */
    events: z
      .strictObject({
        webhooks: z
          .array(webhook)
          .max(50, 'must be 50 at most: use a rule of EventBridge of your own')
          .refine((all) => new Set(all.map(({ name }) => name)).size === all.length, 'has a name twice')
          .default([]),
      })
      .optional(),
    /** Whether each night's pages are signed (docs/proofs.md). */
    proofs: z.boolean('must be true or false').default(false),
    console: z.strictObject({
      /** In a registry that this stage creates and owns, in the one that account and region already have, or none. */
      testEvents: z.enum(['create-registry', 'existing-registry', 'none']),
    }),
  })
  .superRefine(({ mail, retention, ops }, context) => {
    const wrong = (path: string[], message: string) => context.addIssue({ code: 'custom', path, message });
    if (bareAddress(mail.from).split('@').at(-1)?.toLowerCase() !== mail.domain) {
      wrong(['mail', 'from'], `must be an address of mail.domain (${mail.domain})`);
    }
    if (mail.hostedZone !== undefined && !`.${mail.domain}`.endsWith(`.${mail.hostedZone.name}`)) {
      wrong(['mail', 'hostedZone', 'name'], `must be mail.domain (${mail.domain}) or the end of it`);
    }
    if (retention.manifestDays < retention.dataDays) {
      wrong(
        ['retention', 'manifestDays'],
        'must not be less than dataDays: a file counts as data only if a manifest names it',
      );
    }
    if (retention.ledgerDays < retention.manifestDays) {
      wrong(
        ['retention', 'ledgerDays'],
        'must not be less than manifestDays: a day without its ledger is mailed again',
      );
    }
    if (ops.recipients.length + ops.subscribers.length === 0) {
      wrong(['ops'], 'needs recipients or subscribers: somebody must be told about failures');
    }
  });

/** The settings of one deployed stage. Its name is the name of the file. */
export type Settings = z.infer<typeof settingsSchema> & { stage: string };

function problemsOf(file: string, issue: z.core.$ZodIssue): string[] {
  if (issue.code === 'unrecognized_keys') {
    return issue.keys.map((key) => `${file}: ${fieldPath([...issue.path, key])}: is not a setting`);
  }
  const missing = issue.input === undefined && ['invalid_type', 'invalid_value'].includes(issue.code);
  return [`${file}: ${fieldPath(issue.path)}: ${missing ? 'is missing' : issue.message}`];
}

/** @throws {SettingsError} naming each setting that is missing or wrong */
export function parseSettings(stage: string, json: unknown, file = `${stage}.json`): Settings {
  if (!STAGE_NAME.test(stage)) {
    throw new SettingsError(`${file}: the name of a stage has up to 20 small letters, digits and "-"`);
  }
  const parsed = settingsSchema.safeParse(json, { reportInput: true });
  if (parsed.success) return { ...parsed.data, stage };
  throw new SettingsError(parsed.error.issues.flatMap((issue) => problemsOf(file, issue)).join('\n'));
}

/**
 * Reads the settings of a stage.
 * @param stage the name of a file in `lib/stages`, or the path of another settings file
 * @throws {SettingsError} naming the stages that there are, or the setting that is missing or wrong
 */
export function readSettings(stage: unknown): Settings {
  const file = stageFile(stage);
  let json: unknown;
  try {
    json = JSON.parse(readFileSync(file, 'utf8'));
  } catch (error) {
    const reason = error instanceof SyntaxError ? 'is not JSON' : 'cannot be read';
    throw new SettingsError(`${file} ${reason}`, { cause: error });
  }
  return parseSettings(basename(file, '.json'), json, file);
}

/** Names that are kept for examples: nobody can send mail from one. */
const EXAMPLE = /\bexample\.(?:com|net|org)\b/i;

/** The settings that still have a value of the example, such as `mail.domain`. */
export function exampleSettings(value: unknown, path: readonly PropertyKey[] = []): string[] {
  if (typeof value === 'string') return EXAMPLE.test(value) ? [fieldPath(path)] : [];
  if (typeof value !== 'object' || value === null) return [];
  return Object.entries(value).flatMap(([name, member]) =>
    exampleSettings(member, [...path, Array.isArray(value) ? Number(name) : name]),
  );
}

/** @throws {SettingsError} when a stage has values of the example */
export function assertOwnSettings(settings: Settings): void {
  const found = exampleSettings(settings);
  if (found.length === 0) return;
  const init = pastedLine('daybook', ['init'], { stage: settings.stage });
  throw new SettingsError(
    `the stage ${settings.stage} has values of the example: ${found.join(', ')}. "${init}" writes yours; -c example=true makes the templates all the same, to look at them`,
  );
}
