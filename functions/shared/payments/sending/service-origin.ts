import { DaybookError } from '#domain/errors/daybook-error.ts';
import type { ServiceSettings } from '#domain/registry/registry-schema.ts';

/**
 * The registry names an address that credentials must not go to. The message names the member of the registry
 * and never its value, which may hold a user name and a password.
 */
export class ForbiddenOriginError extends DaybookError {
  override readonly name = 'ForbiddenOriginError';
  /** The wrong member, such as `service.baseUrl`. */
  readonly member: string;
  constructor(member: string, reason: string) {
    super(`the registry's ${member} ${reason}`);
    this.member = member;
  }
}

const PATHS = ['loginPath', 'refreshPath', 'refundListPath'] as const;

function baseUrl(service: Pick<ServiceSettings, 'baseUrl'>): URL {
  const url = URL.parse(service.baseUrl);
  if (url === null) throw new ForbiddenOriginError('service.baseUrl', 'is not a URL');
  if (url.protocol !== 'https:' && url.protocol !== 'http:') {
    // `blob:https://…` has the origin of the address inside it, so the origin alone is not enough.
    throw new ForbiddenOriginError('service.baseUrl', 'must begin with https://');
  }
  if (url.username !== '' || url.password !== '') {
    throw new ForbiddenOriginError('service.baseUrl', 'must not have a user name or a password');
  }
  if (url.search !== '' || url.hash !== '') {
    throw new ForbiddenOriginError('service.baseUrl', 'must not have a query or a fragment');
  }
  return url;
}

/**
 * The origin of the registry's base URL.
 *
 * @throws {ForbiddenOriginError} when it is not a web address, or has user information, a query or a fragment
 */
export function serviceOrigin(service: Pick<ServiceSettings, 'baseUrl'>): string {
  return baseUrl(service).origin;
}

/** Whether a path would lead to another host if it were resolved as a reference instead of appended. */
function leavesOrigin(path: string, base: URL): boolean {
  return !path.startsWith('/') || URL.parse(path, base.href)?.origin !== base.origin;
}

/**
 * The address of a path of the service: appended to the base URL, whose own path is kept.
 *
 * @param path begins with one `/`; a query belongs into the answer's `searchParams`
 * @throws {ForbiddenOriginError} when the path could lead to another origin, or {@link serviceOrigin} throws
 */
export function serviceUrl(service: Pick<ServiceSettings, 'baseUrl'>, path: string): URL {
  const url = baseUrl(service);
  if (leavesOrigin(path, url)) throw new ForbiddenOriginError('service', 'has a path that leaves its origin');
  // The setter replaces the path only, whatever the text contains.
  url.pathname = url.pathname.replace(/\/+$/, '') + path;
  return url;
}

/**
 * Makes sure that credentials go to allowed origins only.
 *
 * @param allowedOrigins from `SERVICE_ORIGINS`, such as `https://pay.example.com`
 * @throws {ForbiddenOriginError} when the base URL or one of the paths leads elsewhere
 */
export function assertServiceAllowed(service: ServiceSettings, allowedOrigins: readonly string[]): void {
  const base = baseUrl(service);
  if (!allowedOrigins.includes(base.origin)) {
    throw new ForbiddenOriginError('service.baseUrl', 'is not one of SERVICE_ORIGINS');
  }
  for (const member of PATHS) {
    if (leavesOrigin(service[member], base)) {
      throw new ForbiddenOriginError(`service.${member}`, 'leaves the origin of service.baseUrl');
    }
  }
}
