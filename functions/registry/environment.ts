import * as z from 'zod';
import { DaybookError } from '#records/errors/daybook-error.ts';
import { firstIssue } from '#records/json/schema-issue.ts';
import { BRANDING } from './branding.ts';
import { mayBeRegistryKey } from '#records/storage/keys.ts';

/** A variable is missing or malformed. The message names the variable, never its value. */
export class EnvironmentError extends DaybookError {
  override readonly name = 'EnvironmentError';
}

/*
 * Every value is text in a variable, and may be a list, a number or a truth value in the file of a stage. Each check below reads
 * both, so it is the only one.
 */

/** A list: in a variable with commas between. Blanks around a value and empty values are ignored. */
function list<Item extends z.ZodType<unknown[]>>(items: Item) {
  return z.preprocess((value) => {
    if (typeof value !== 'string') return value;
    return value
      .split(',')
      .map((part) => part.trim())
      .filter((part) => part !== '');
  }, items);
}

/** A whole number of minutes, at most a day. An empty variable counts as left out. */
function minutes(least: number, otherwise: number) {
  const count = z
    .int('must be a whole number of minutes')
    .min(least, `must be at least ${least}`)
    .max(24 * 60, 'must be a day at most')
    .default(otherwise);
  return z.preprocess((value) => {
    if (typeof value !== 'string' || !/^\d{0,4}$/.test(value)) return value;
    return value === '' ? undefined : Number(value);
  }, count);
}

/** An empty variable counts as left out. Built only for a value that is there: a cold start must not pay for others. */
function optional<Value>(schema: () => z.ZodType<Value>) {
  return z
    .unknown()
    .optional()
    .transform((value, context): Value | undefined => {
      if (value === undefined || value === '') return undefined;
      const { data, error } = schema().safeParse(value);
      for (const { message } of error?.issues ?? []) context.addIssue({ code: 'custom', message });
      return data;
    });
}

function text(pattern: RegExp, reason: string) {
  return z.string().regex(pattern, reason);
}

const LOOPBACK = /^(127(\.\d{1,3}){3}|\[::1\]|localhost)$/;

function isAllowedOrigin(given: string): boolean {
  const url = URL.parse(given);
  if (url === null || url.origin !== given.replace(/\/$/, '') || given.includes(',')) return false;
  return url.protocol === 'https:' || (url.protocol === 'http:' && LOOPBACK.test(url.hostname));
}

const address = () => z.email({ error: 'must be a mail address', abort: true });

/** An address, or a name with the address in angle brackets. */
function isSender(given: string): boolean {
  const inner = /^[^<>"\\\p{Cc}]{1,100}<([^<>]+)>$/u.exec(given)?.[1] ?? given;
  return address().safeParse(inner).success;
}

/** Each becomes a resource or a right, or a part of a variable of at most 4 KB. */
const MOST_PEOPLE = 20;

export function people() {
  return z
    .array(address())
    .max(MOST_PEOPLE, `must be ${MOST_PEOPLE} at most: use the address of a group`)
    .refine((all) => new Set(all).size === all.length, 'has an address twice');
}

const webUrl = () => z.url({ protocol: /^https?$/, error: 'must be a URL, https or http' });

/** The member `from` of `mail` is the variable `MAIL_FROM`, `topicArn` of `ops` is `OPS_TOPIC_ARN`. */
function variableOf(...path: readonly string[]): string {
  return path
    .join('_')
    .replaceAll(/[A-Z]/g, (capital) => `_${capital}`)
    .toUpperCase();
}

/**
 * What a function is told: settings of the stage by their names there, and resources of the stacks. A variable has the same name,
 * such as `MAIL_REPLY_TO` (docs/interfaces.md, 2 Environment of the functions).
 */
export const environmentSchema = z.lazy(() =>
  z.object({
    data: z.object({
      bucket: text(/^[a-z0-9][a-z0-9.-]{1,61}[a-z0-9]$/, 'must be the name of a bucket'),
    }),
    credentials: z.object({
      /** The name of the secret for merchants without a `secretId` of their own. */
      secret: text(/^[\w/+=.@-]{1,400}$/, 'must be the name of a secret'),
      /** The beginning of every `secretId` in the registry. Without it, the registry may have no `secretId`. */
      prefix: optional(() => text(/^[\w/+=.@-]{1,399}\/$/, 'must be the start of a name and end in "/"')),
    }),
    service: z.object({
      /** The only origins that the registry may send credentials to: https, except on loopback. */
      origins: list(
        z
          .array(
            z
              .string()
              .refine(isAllowedOrigin, 'must be an origin such as https://api.example.com, without a path')
              .transform((origin) => new URL(origin).origin),
          )
          .min(1),
      ),
    }),
    mail: z.object({
      from: z
        .string()
        .refine(isSender, { error: 'must be a mail address, or a name and <address>', abort: true }),
      /** The address for answers to mails. Left out: the sender. */
      replyTo: optional(address),
      /** The address of the people who take recipients off the lists. Left out: mails do not name one. */
      unsubscribe: optional(address),
    }),
    /** How mails name and show their sender. The registry's `branding` comes before it, member by member. */
    branding: z.object({
      senderName: optional(BRANDING.senderName),
      logo: optional(BRANDING.logo),
      colour: optional(BRANDING.colour),
      help: optional(BRANDING.help),
      address: optional(BRANDING.address),
      /** Whether mails say that Daybook made them. */
      footer: optional(() =>
        z.preprocess(
          (value) => (value === 'true' || value === 'false' ? value === 'true' : value),
          z.boolean('must be true or false'),
        ),
      ),
    }),
    /** What links in mails are made of. Each is left out unless a setting of the stage makes such links. */
    links: z.object({
      /** The secret with the key that signs them: its name or ARN. */
      secret: optional(() => text(/^[\w/+=.@:-]{1,400}$/, 'must be the name of a secret')),
      /** The role that may read linked files. */
      role: optional(() => text(/^arn:[\w:/+=,.@-]{1,400}$/, 'must be the ARN of a role')),
      /** What the address of a link to a file begins with. */
      files: optional(webUrl),
      /** What the address of a link that stops mails begins with. */
      stops: optional(webUrl),
    }),
    ops: z.object({
      /** Who gets the notices by mail, through SES. */
      recipients: list(people().default([])),
      topicArn: optional(() =>
        text(/^arn:[a-z-]+:sns:[a-z0-9-]+:\d{12}:[\w.-]{1,256}$/, 'must be the ARN of a topic'),
      ),
      /** The URL of the runbook. Alarms and notices link its headings. */
      runbook: optional(() =>
        webUrl()
          .max(500, 'must be 500 characters at most')
          .refine((url) => !url.includes('#'), 'must have no fragment: each notice has its own'),
      ),
    }),
    ses: z.object({
      configurationSet: optional(() =>
        text(/^[A-Za-z0-9_-]{1,64}$/, 'must be the name of a configuration set'),
      ),
    }),
    deadlines: z.object({
      /** The report must be there this long after a merchant's `reportAt`. */
      deliveryMinutes: minutes(15, 60),
      /** How long a rule may have no data before ops are notified. */
      noDataMinutes: minutes(15, 180),
      /** How long after a run died the sweep settles its mail. It must be longer than a second run takes. */
      unsettledMinutes: minutes(30, 60),
    }),
    /** The URLs of the queues that `plan` sends to. Left out: it answers only. */
    queues: z.object({
      reports: optional(webUrl),
      backfills: optional(webUrl),
      alerts: optional(webUrl),
    }),
    registry: z.object({
      key: z
        .string()
        .refine(mayBeRegistryKey, 'must be a plain key under which no function writes')
        .default('config/merchants.json'),
    }),
    log: z.object({ level: z.enum(['DEBUG', 'INFO', 'WARN', 'ERROR']).default('INFO') }),
    node: z.object({
      /** The runtime reads it at every connection. With `0`, credentials would go to any server that answers. */
      tlsRejectUnauthorized: z
        .string()
        .refine((value) => value !== '0', 'must not switch off the check of certificates')
        .optional(),
    }),
    /** Named in notices to ops, and a part of the functions' names. */
    stage: optional(() => text(/^[a-z][a-z0-9-]{0,19}$/, 'must be the name of a stage')),
  }),
);

export type Environment = z.infer<typeof environmentSchema>;

function paths(): string[][] {
  return Object.entries(environmentSchema.unwrap().shape).flatMap(([name, schema]) =>
    schema instanceof z.ZodObject ? Object.keys(schema.shape).map((member) => [name, member]) : [[name]],
  );
}

export function variableNames(): string[] {
  return paths().map((path) => variableOf(...path));
}

type Values = Readonly<Record<string, unknown>>;

function memberOf(value: unknown, name: string): unknown {
  return Object.entries(value ?? {}).find(([known]) => known === name)?.[1];
}

/** As a variable has it: the values of a list with commas between. `undefined` for a value that is left out. */
function asText(value: unknown): string | undefined {
  if (Array.isArray(value)) return value.map(asText).join(',');
  return typeof value === 'string' ? value : JSON.stringify(value);
}

/** The variables that say this. Values that no function reads, and those that are left out, have none. */
export function variablesOf(values: Values): Record<string, string> {
  return Object.fromEntries(
    paths().flatMap((path) => {
      const value = asText(path.reduce<unknown>(memberOf, values));
      return value === undefined ? [] : [[variableOf(...path), value]];
    }),
  );
}

/** Reads what the function is told. @throws {EnvironmentError} when a variable is missing or malformed */
export function readEnvironment(variables: Record<string, string | undefined>): Environment {
  const read = (...path: readonly string[]) => variables[variableOf(...path)];
  const schema = environmentSchema.unwrap();
  const groups = Object.entries(schema.shape).map(([name, group]) => {
    if (!(group instanceof z.ZodObject)) return [name, read(name)];
    return [name, Object.fromEntries(Object.keys(group.shape).map((member) => [member, read(name, member)]))];
  });
  const parsed = schema.safeParse(Object.fromEntries(groups));
  if (parsed.success) return parsed.data;
  const { path, reason } = firstIssue(parsed.error);
  const name = variableOf(...path.replace(/\[.*$/, '').split('.'));
  const missing = variables[name] === undefined;
  throw new EnvironmentError(`environment variable ${name} ${missing ? 'is missing' : reason}`);
}
