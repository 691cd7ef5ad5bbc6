import { shownPath } from '#registry/problem.ts';
import type { Problem } from '#registry/problem.ts';
import type { Registry } from '#registry/registry.ts';
import { serviceFaults } from '#registry/service-origin.ts';

export interface PlanNotice {
  path: string;
  message: string;
}

export interface Found {
  registry: Registry;
  alarm: string | null;
  unknown: readonly Problem[];
}

/** Notices of a plan: the last good registry in use, then what is wrong in the registry that is used. */
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
