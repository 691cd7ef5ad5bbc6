import type { FunctionName } from '#lib/functions.ts';
import type { DaybookWorld } from '../world/daybook-world.ts';
import { BuiltRun } from './built-run.ts';

/** Runs a function that dies right after its first call of that kind. */
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
