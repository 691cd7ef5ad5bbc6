import { DaybookError } from '#domain/errors/daybook-error.ts';
import type { ServiceSettings } from '#domain/registry/registry-schema.ts';

/**
 * The registry points somewhere that credentials must not go. Names the member of the registry, never its value:
 * that may hold a user name and a password.
 */
export class ForbiddenOriginError extends DaybookError {
  override readonly name = 'ForbiddenOriginError';
  /** The member at fault, such as `service.baseUrl`. */
  readonly member: string;
  constructor(member: string, reason: string) {
    super(`the registry's ${member} ${reason}`);
    this.member = member;
  }
}

const PATHS = ['loginPath', 'refreshPath', 'refundListPath'] as const;

function baseUrl(service: Pick<ServiceSettings, 'baseUrl'>): URL {
  const url = URL.parse(service.baseUrl);
  if (url === null) throw new ForbiddenOriginError('service.baseUrl', 'is no URL');
  if (url.protocol !== 'https:' && url.protocol !== 'http:') {
    // `blob:https://…` has the origin of what follows, so the origin alone does not tell.
    throw new ForbiddenOriginError('service.baseUrl', 'must begin with https://');
  }
  if (url.username !== '' || url.password !== '') {
    throw new ForbiddenOriginError('service.baseUrl', 'must hold no user name and no password');
  }
  if (url.search !== '' || url.hash !== '') {
    throw new ForbiddenOriginError('service.baseUrl', 'must hold no query and no fragment');
  }
  return url;
}

/**
 * The origin that the registry's base URL stands for.
 *
 * @throws {ForbiddenOriginError} when it is no web address, or holds user information, a query or a fragment
 */
export function serviceOrigin(service: Pick<ServiceSettings, 'baseUrl'>): string {
  return baseUrl(service).origin;
}

/** A path that would name another host if anything resolved it as a reference, instead of appending it. */
function leavesOrigin(path: string, base: URL): boolean {
  return !path.startsWith('/') || URL.parse(path, base.href)?.origin !== base.origin;
}

/**
 * Where a path of the service stands: appended to the base URL, whose own path prefix is kept.
 *
 * @param path begins with one `/`; a query belongs into the answer's `searchParams`
 * @throws {ForbiddenOriginError} when the path could lead to another origin, or {@link serviceOrigin} throws
 */
export function serviceUrl(service: Pick<ServiceSettings, 'baseUrl'>, path: string): URL {
  const url = baseUrl(service);
  if (leavesOrigin(path, url)) throw new ForbiddenOriginError('service', 'has a path that leaves its origin');
  // The setter replaces nothing but the path, whatever the text holds.
  url.pathname = url.pathname.replace(/\/+$/, '') + path;
  return url;
}

/**
 * Makes sure that credentials go to the allowed origins only.
 *
 * @param allowedOrigins of `SERVICE_ORIGINS`, such as `https://pay.example.com`
 * @throws {ForbiddenOriginError} when the base URL or one of the paths is not on them
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
