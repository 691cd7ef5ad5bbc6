import { shownPath } from '#domain/registry/problem.ts';
import type { Problem } from '#domain/registry/problem.ts';
import type { Registry } from '#domain/registry/registry.ts';
import { serviceFaults } from '#payments/sending/service-origin.ts';

/** Something about the registry that a person should know: its path in the registry, and what it is. */
export interface PlanNotice {
  path: string;
  message: string;
}

/** What a plan found in a registry. */
export interface Found {
  registry: Registry;
  /** Why the last good registry is used. `null` when it is not. */
  alarm: string | null;
  /** Members that are not known. */
  unknown: readonly Problem[];
}

/**
 * The notices of a plan: the last good registry in use, addresses of the service that are not allowed, and
 * members that are not known. All but the first are about the registry that is used.
 *
 * @param serviceOrigins the origins that the registry may name
 */
export function planNotices(
  { registry, alarm, unknown }: Found,
  serviceOrigins: readonly string[],
): PlanNotice[] {
  const faults = serviceFaults(registry.service, serviceOrigins);
  return [
    ...(alarm === null ? [] : [{ path: '(root)', message: alarm }]),
    ...faults.map(({ member, reason }) => ({
      path: `service.${member}`,
      message: `${reason}; no request is sent, and every report fails`,
    })),
    ...unknown.map(({ at, reason }) => ({ path: shownPath(at), message: reason })),
  ];
}
