import { pastedLine } from '#mail/notices/ops-command.ts';
import { StorageError } from '#records/errors/storage-error.ts';

/** Names of errors that say: the credentials are too old. */
const EXPIRED = new Set(['ExpiredToken', 'ExpiredTokenException', 'RequestExpired', 'TokenRefreshRequired']);
/** Names of errors that say: these credentials are not valid. */
const INVALID = new Set([
  'InvalidClientTokenId',
  'UnrecognizedClientException',
  'InvalidAccessKeyId',
  'SignatureDoesNotMatch',
  'InvalidSignatureException',
  'AuthFailure',
]);
/** Names of errors that say: the policies do not allow this. */
const FORBIDDEN = new Set(['AccessDenied', 'AccessDeniedException', 'AuthorizationError']);
/** Codes of connections that failed. */
const UNREACHABLE = new Set([
  'ECONNREFUSED',
  'ENOTFOUND',
  'EAI_AGAIN',
  'ETIMEDOUT',
  'ECONNRESET',
  'EHOSTUNREACH',
]);

function signIn(): string {
  const login = pastedLine('aws', ['sso', 'login'], { profile: process.env['AWS_PROFILE'] });
  return `sign in ("${login}"), or name another profile with --profile`;
}

function codeOf(error: Error): string | undefined {
  if ('code' in error && typeof error.code === 'string') return error.code;
  return error.cause instanceof Error ? codeOf(error.cause) : undefined;
}

/** Whether AWS refused the call because a policy does not allow it. */
export function isForbidden(error: unknown): boolean {
  return error instanceof Error && FORBIDDEN.has(error.name);
}

/** One line for an error that says: no call works with these credentials any more. `undefined` for any other error. */
export function credentialsComplaint(error: unknown): string | undefined {
  if (!(error instanceof Error)) return undefined;
  const name = error instanceof StorageError ? error.code : error.name;
  const isOfProvider = name === 'CredentialsProviderError' || name === 'TokenProviderError';
  if (EXPIRED.has(name) || (isOfProvider && /expired/i.test(error.message)))
    return `the AWS credentials have expired: ${signIn()}`;
  if (isOfProvider) return `there are no AWS credentials: ${signIn()}`;
  if (INVALID.has(name)) return `AWS does not accept the credentials (${name}): ${signIn()}`;
  return undefined;
}

/** One line for an error of AWS or of the connection to it, and what to do about it. `undefined` for any other error. */
export function awsComplaint(error: unknown): string | undefined {
  if (!(error instanceof Error)) return undefined;
  const { name, message } = error;
  const ofCredentials = credentialsComplaint(error);
  if (ofCredentials !== undefined) return ofCredentials;
  if (isForbidden(error))
    return `AWS does not allow this: ${message}. docs/rights.md says which policy the command needs`;
  const code = codeOf(error);
  if (code !== undefined && UNREACHABLE.has(code))
    return `AWS cannot be reached (${code}): check the network and --region`;
  if (name === 'TimeoutError') return 'AWS did not answer in time: try again';
  if (!('$metadata' in error || '$fault' in error)) return undefined;
  // The parser's message quotes the answer.
  if (error instanceof SyntaxError)
    return `AWS gave an answer that is not JSON: look at a proxy on the way there`;
  // The SDK adds lines for people who work on a program.
  return `AWS answered ${name}: ${message.replace(/\s+Deserialization error:[^]*$/, '')}`;
}
