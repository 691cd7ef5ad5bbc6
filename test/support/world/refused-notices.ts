import type { DaybookWorld } from './daybook-world.ts';

/** From now on neither SES nor SNS accepts anything. */
export function refuseNotices({ aws }: DaybookWorld): void {
  const action = { kind: 'error', status: 503, code: 'ServiceUnavailable' } as const;
  for (const service of ['ses', 'sns']) aws.faults.add({ service, times: Infinity, action });
}
