import * as z from 'zod';
import { DaybookError } from '#domain/errors/daybook-error.ts';
import { BRANDING } from '#domain/registry/branding.ts';
import { mayBeRegistryKey } from '#domain/storage/keys.ts';
import { firstIssue } from '#domain/json/schema-issue.ts';

/** A variable is missing or malformed. Names it, never its value. */
export class EnvironmentError extends DaybookError {
  override readonly name = 'EnvironmentError';
}

const LOOPBACK = /^(127(\.\d{1,3}){3}|\[::1\]|localhost)$/;

/** Blanks around a value and empty values are ignored. */
const list = z.lazy(() =>
  z.string().transform((text) =>
    text
      .split(',')
      .map((part) => part.trim())
      .filter((part) => part !== ''),
  ),
);

function isAllowedOrigin(text: string): boolean {
  const url = URL.parse(text);
  if (url === null || url.origin !== text.replace(/\/$/, '')) return false;
  return url.protocol === 'https:' || (url.protocol === 'http:' && LOOPBACK.test(url.hostname));
}

const address = z.lazy(() => z.email());
const sender = z.lazy(() =>
  z.string().refine((text) => {
    const inner = /^[^<>\r\n]*<([^<>]+)>$/.exec(text)?.[1] ?? text;
    return address.safeParse(inner).success;
  }, 'must be an address, or a name and <address>'),
);

/** An empty variable counts as left out. */
function optional(pattern: RegExp, reason: string) {
  return z
    .string()
    .refine((text) => text === '' || pattern.test(text), reason)
    .transform((text) => (text === '' ? undefined : text))
    .optional();
}

const optionalAddress = z.lazy(() =>
  z
    .string()
    .refine(
      (text) => text === '' || address.safeParse(text).success,
      'must be one mail address, without a name',
    )
    .transform((text) => (text === '' ? undefined : text))
    .optional(),
);

/**
 * Empty counts as left out. Built only for a variable that is set: a cold start must not pay for the others.
 */
function orNothing(member: () => z.ZodType<string, string>) {
  return z
    .string()
    .optional()
    .transform((text, context) => {
      if (text === undefined || text === '') return undefined;
      const { data, error } = member().safeParse(text);
      for (const { message } of error?.issues ?? []) context.addIssue({ code: 'custom', message });
      return data;
    });
}

/** At most a day. An empty variable counts as left out. */
function minutes(otherwise: number) {
  return z
    .string()
    .regex(/^\d{0,4}$/, 'must be a number of minutes')
    .transform((text) => (text === '' ? otherwise : Number(text)))
    .refine((value) => value <= 24 * 60, 'must be a day at most')
    .default(otherwise);
}

export const environmentSchema = z.lazy(() =>
  z.object({
    DATA_BUCKET: z.string().regex(/^[a-z0-9][a-z0-9.-]{1,61}[a-z0-9]$/, 'must be the name of a bucket'),
    CREDENTIALS_SECRET: z.string().min(1),
    /** Left out: no merchant may name a secret. */
    CREDENTIALS_SECRET_PREFIX: optional(
      /^[\w/+=.@-]{1,399}\/$/,
      'must be the start of a name and end in "/"',
    ),
    SERVICE_ORIGINS: list.pipe(
      z
        .array(z.string().refine(isAllowedOrigin, 'must be origins, https except on loopback'))
        .min(1)
        .transform((origins) => origins.map((origin) => new URL(origin).origin)),
    ),
    MAIL_FROM: sender,
    /** Left out: the sender. */
    REPLY_TO: optionalAddress,
    /** Left out: mails do not name one. */
    UNSUBSCRIBE_ADDRESS: optionalAddress,
    BRAND_SENDER_NAME: orNothing(BRANDING.senderName),
    BRAND_LOGO: orNothing(BRANDING.logo),
    BRAND_COLOUR: orNothing(BRANDING.colour),
    BRAND_HELP: orNothing(BRANDING.help),
    BRAND_ADDRESS: orNothing(BRANDING.address),
    BRAND_FOOTER: z.enum(['true', 'false', ''], 'must be true or false').optional(),
    OPS_RECIPIENTS: list.pipe(z.array(address)).default([]),
    SES_CONFIGURATION_SET: optional(/^[A-Za-z0-9_-]{1,64}$/, 'must be the name of a configuration set'),
    OPS_TOPIC_ARN: optional(
      /^arn:[a-z-]+:sns:[a-z0-9-]+:\d{12}:[\w.-]{1,256}$/,
      'must be the ARN of a topic',
    ),
    /** Also a part of the functions' names. */
    STAGE: optional(/^[a-z][a-z0-9-]{0,19}$/, 'must be the name of a stage'),
    RUNBOOK_URL: optional(/^https?:\/\/[^\s#]{1,492}$/, 'must be a URL without a fragment'),
    DELIVERY_DEADLINE_MINUTES: minutes(60),
    NO_DATA_AFTER_MINUTES: minutes(180),
    SWEEP_UNSETTLED_AFTER_MINUTES: minutes(60),
    REGISTRY_KEY: z
      .string()
      .refine(mayBeRegistryKey, 'must be a plain key under which no function writes')
      .default('config/merchants.json'),
    /** Read at every connection. With `0`, credentials would go to any server that answers. */
    NODE_TLS_REJECT_UNAUTHORIZED: z
      .string()
      .refine((value) => value !== '0', 'must not switch off the check of certificates')
      .optional(),
    LOG_LEVEL: z.enum(['DEBUG', 'INFO', 'WARN', 'ERROR']).default('INFO'),
  }),
);

export type Environment = z.infer<typeof environmentSchema>;

/**
 * docs/interfaces.md, 2 Environment of the functions.
 * @throws {EnvironmentError} for a missing or malformed one
 */
export function readEnvironment(variables: Record<string, string | undefined>): Environment {
  const parsed = environmentSchema.safeParse(variables);
  if (parsed.success) return parsed.data;
  const { path, reason } = firstIssue(parsed.error);
  const name = path.replace(/[[.].*$/, '');
  const missing = variables[name] === undefined;
  throw new EnvironmentError(`environment variable ${name} ${missing ? 'is missing' : reason}`);
}
