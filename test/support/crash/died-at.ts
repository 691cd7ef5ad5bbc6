import { expect } from 'vitest';
import type { FunctionName } from '#lib/functions.ts';
import type { DaybookWorld } from '../world/daybook-world.ts';
import { BuiltRun } from './built-run.ts';

/** What a run left behind that died when its first call of that kind had been performed. */
export function diedAt(
  functionName: FunctionName,
  event: (world: DaybookWorld) => unknown,
  call: { operation: string; key?: RegExp },
): (world: DaybookWorld) => Promise<void> {
  return async (world) => {
    const { environment, clock } = world;
    const run = new BuiltRun({ functionName, event: await event(world), environment, ahead: clock.ahead });
    world.aws.faults.add({ ...call, action: { kind: 'call', after: () => run.kill() } });
    expect(await run.outcome).toEqual({ ended: 'SIGKILL' });
  };
}
