import { DaybookError } from '#records/errors/daybook-error.ts';
import type { ServiceSettings } from './registry-schema.ts';

/** Credentials must not go there. Names the member, never its value, which may hold a password. */
export class ForbiddenOriginError extends DaybookError {
  override readonly name = 'ForbiddenOriginError';
  /** The wrong member, such as `service.baseUrl`. */
  readonly member: string;
  constructor(member: string, reason: string) {
    super(`the registry's ${member} ${reason}`);
    this.member = member;
  }
}

const PATHS = ['loginPath', 'refreshPath', 'refundListPath', 'transactionsPath'] as const;

interface ServiceFault {
  member: keyof ServiceSettings;
  /** Never repeats the value. */
  reason: string;
}

function baseUrlFault(url: URL | null): string | undefined {
  if (url === null) return 'is not a URL';
  // `blob:https://…` has the origin of the address inside it, so the origin alone is not enough.
  if (url.protocol !== 'https:' && url.protocol !== 'http:') return 'must begin with https://';
  if (url.username !== '' || url.password !== '') return 'must not have a user name or a password';
  return url.search !== '' || url.hash !== '' ? 'must not have a query or a fragment' : undefined;
}

/** Whether it would, if it were resolved as a reference instead of appended. */
function leavesOrigin(path: string, base: URL): boolean {
  return !path.startsWith('/') || URL.parse(path, base.href)?.origin !== base.origin;
}

/**
 * The address of a path, appended to the base URL, whose own path is kept.
 * @param path begins with one `/`, has no query
 * @throws {ForbiddenOriginError} when it could lead to another origin, or the base URL is no web address, or has
 * user information, a query or a fragment
 */
export function serviceUrl(service: Pick<ServiceSettings, 'baseUrl'>, path: string): URL {
  const url = URL.parse(service.baseUrl);
  const fault = baseUrlFault(url);
  if (url === null || fault !== undefined) {
    throw new ForbiddenOriginError('service.baseUrl', fault ?? 'is not a URL');
  }
  if (leavesOrigin(path, url)) throw new ForbiddenOriginError('service', 'has a path that leaves its origin');
  // The setter replaces the path only, whatever the text contains.
  url.pathname = url.pathname.replace(/\/+$/, '') + path;
  return url;
}

/** Every member that credentials must not go to. @param allowedOrigins `undefined`: any origin */
export function serviceFaults(
  service: ServiceSettings,
  allowedOrigins: readonly string[] | undefined,
): ServiceFault[] {
  const base = URL.parse(service.baseUrl);
  const fault = baseUrlFault(base);
  if (base === null || fault !== undefined) return [{ member: 'baseUrl', reason: fault ?? 'is not a URL' }];
  const faults: ServiceFault[] = [];
  if (allowedOrigins?.includes(base.origin) === false) {
    faults.push({ member: 'baseUrl', reason: 'is not one of SERVICE_ORIGINS' });
  }
  for (const member of PATHS) {
    const path = service[member];
    if (path !== undefined && leavesOrigin(path, base)) {
      faults.push({ member, reason: 'leaves the origin of service.baseUrl' });
    }
  }
  return faults;
}

/**
 * @param allowedOrigins from `SERVICE_ORIGINS`, such as `https://pay.example.com`
 * @throws {ForbiddenOriginError} when the base URL or one of the paths leads elsewhere
 */
export function assertServiceAllowed(service: ServiceSettings, allowedOrigins: readonly string[]): void {
  const [fault] = serviceFaults(service, allowedOrigins);
  if (fault !== undefined) throw new ForbiddenOriginError(`service.${fault.member}`, fault.reason);
}
