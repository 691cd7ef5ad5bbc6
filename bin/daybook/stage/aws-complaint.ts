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
const FORBIDDEN = new Set(['AccessDenied', 'AccessDeniedException', 'AuthorizationError']);
/** Codes of connections that did not come about. */
const UNREACHABLE = new Set([
  'ECONNREFUSED',
  'ENOTFOUND',
  'EAI_AGAIN',
  'ETIMEDOUT',
  'ECONNRESET',
  'EHOSTUNREACH',
]);

function signIn(): string {
  const profile = process.env['AWS_PROFILE'];
  const option = profile === undefined ? '' : ` --profile ${profile}`;
  return `sign in ("aws sso login${option}"), or name another profile with --profile`;
}

function codeOf(error: Error): string | undefined {
  if ('code' in error && typeof error.code === 'string') return error.code;
  return error.cause instanceof Error ? codeOf(error.cause) : undefined;
}

/** What to do about a call that the rights do not allow, `undefined` for any other error. */
export function forbiddenComplaint(error: unknown): string | undefined {
  return error instanceof Error && FORBIDDEN.has(error.name)
    ? 'docs/deploy.md says which policy an operator needs'
    : undefined;
}

/** Whether the error comes from the AWS SDK. */
function isOfSdk(error: Error): boolean {
  return '$metadata' in error || '$fault' in error;
}

/**
 * One line for an error that AWS or the way there gives, and what to do about it. `undefined` for any other error.
 */
export function awsComplaint(error: unknown): string | undefined {
  if (!(error instanceof Error)) return undefined;
  const { name, message } = error;
  if (name === 'CredentialsProviderError' || name === 'TokenProviderError') {
    return /expired/i.test(message)
      ? `the AWS credentials have expired: ${signIn()}`
      : `there are no AWS credentials: ${signIn()}`;
  }
  if (EXPIRED.has(name)) return `the AWS credentials have expired: ${signIn()}`;
  if (INVALID.has(name)) return `AWS does not accept the credentials (${name}): ${signIn()}`;
  if (FORBIDDEN.has(name)) {
    return `AWS does not allow this: ${message}. ${forbiddenComplaint(error) ?? ''}`;
  }
  const code = codeOf(error);
  if (code !== undefined && UNREACHABLE.has(code)) {
    return `AWS cannot be reached (${code}): look at the network, and at --region`;
  }
  if (name === 'TimeoutError') return 'AWS did not answer in time: try again';
  if (!isOfSdk(error)) return undefined;
  // The parser's message quotes the answer.
  if (error instanceof SyntaxError)
    return `AWS gave an answer that is not JSON: look at a proxy on the way there`;
  // The SDK adds lines for people who work on a program.
  return `AWS answered ${name}: ${message.replace(/\s+Deserialization error:[^]*$/, '')}`;
}
