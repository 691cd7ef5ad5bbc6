import type { AwsSandbox, RecordedRequest } from '#sandbox/aws/index.ts';
import type { FunctionName } from '#lib/functions.ts';
import { LATEST_CHANGE, changeMarkerSchema } from '#records/storage/change-marker.ts';
import { CHANGES } from '#records/storage/keys.ts';
import { changeOf } from '#soak/truths/ledger-of-truths.ts';
import type { DaybookWorld } from '../world/daybook-world.ts';
import { BuiltRun } from './built-run.ts';

/** A place in a run where a process dies: just before a call reaches the service, or after it was performed and not answered. */
export interface Point {
  /** Says the call's number and what it is. */
  name: string;
  when: 'before' | 'after';
  service: string;
  operation: string;
  /** The call without the parts that differ in every run. */
  call: string;
  /** Matches the call's key in every run. */
  key: RegExp | undefined;
  /** How many calls of that operation and key go before it. */
  earlier: number;
}

/** Parts of keys that differ in every run. */
const PULL = String.raw`\d{8}T\d{6}Z-[0-9a-f]{8}`;
const SPAN_OF_MARKER = String.raw`noted_on=\d{4}-\d\d-\d\d/\d{4}`;

function patternOf(key: string): RegExp {
  const varying = new RegExp(`(${PULL}|${SPAN_OF_MARKER})`);
  return new RegExp(
    `^${key
      .split(varying)
      .map((part, index) => {
        if (index % 2 === 0) return part.replaceAll(/[.*+?^${}()|[\]\\]/g, String.raw`\$&`);
        return part.startsWith('noted_on') ? SPAN_OF_MARKER : PULL;
      })
      .join('')}$`,
  );
}

/** A key as it is shown in the name of a test. */
function shown(key: string): string {
  return key
    .replaceAll(new RegExp(PULL, 'g'), '<pull>')
    .replaceAll(new RegExp(SPAN_OF_MARKER, 'g'), '<span>')
    .replaceAll(/[0-9a-f]{64}/g, '<hash>');
}

/** Whether a call changes what others find: an object, a mail, a notice. */
export function changesSomething({ operation }: Pick<Point, 'operation'>): boolean {
  return !/^(?:Get|List|Head)/.test(operation);
}

/** Whether a run that dies there cannot know, or cannot say, whether its mail went out. */
export function leavesDoubt({ service, operation, call }: Point): boolean {
  return service === 'ses' || (operation === 'PutObject' && call.includes(' mail/'));
}

/** Every point of the calls that a run made. Parallel calls of a run may have another order the next time. */
export function pointsOf(requests: readonly RecordedRequest[]): Point[] {
  const met = new Map<string, number>();
  return requests.flatMap(({ service, operation, key }, index) => {
    const pattern = key === undefined ? undefined : patternOf(key);
    const call = `${service} ${operation}${key === undefined ? '' : ` ${shown(key)}`}`;
    const identity = `${service} ${operation} ${pattern?.source ?? ''}`;
    const earlier = met.get(identity) ?? 0;
    met.set(identity, earlier + 1);
    return (['before', 'after'] as const).map((when) => ({
      name: `call ${index + 1}, ${call}, ${when}`,
      when,
      call,
      service,
      operation,
      key: pattern,
      earlier,
    }));
  });
}

export function killAt({ faults }: AwsSandbox, point: Point, kill: () => Promise<void>): void {
  const { service, operation, key, earlier, when } = point;
  const before = async () => {
    await kill();
    throw new Error('the caller is dead, and its call was never made');
  };
  faults.add({
    service,
    operation,
    ...(key !== undefined && { key }),
    skip: earlier,
    action: { kind: 'call', ...(when === 'after' ? { after: kill } : { before }) },
  });
}

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

/** Every manifest and report ledger has a change marker, here one written before it, in the time that readers allow. */
export async function expectNoted(world: DaybookWorld): Promise<void> {
  const markers = new Map(
    await Promise.all(
      world
        .keys(CHANGES)
        .map(async (key) => [key, changeMarkerSchema.parse(JSON.parse(await world.text(key)))] as const),
    ),
  );
  const noted = new Set([...markers.values()].map(({ what, day }) => `${what} ${day}`));
  for (const key of world.keys()) {
    const change = changeOf(key);
    if (change !== undefined) expect(noted, key).toContain(`${change.what} ${change.day}`);
  }
  const requests = world.aws.requests.filter(({ operation }) => operation === 'PutObject');
  for (const [index, { key = '', at, status }] of requests.entries()) {
    const change = changeOf(key);
    // A dead process got no answer (0). Its object may be there.
    if (change === undefined || (status !== 200 && status !== 0)) continue;
    const earlier = requests.slice(0, index).some((request) => {
      const marker = markers.get(request.key ?? '');
      if (request.status !== 200) return false;
      if (marker?.what !== change.what || marker.day !== change.day) return false;
      const age = at.getTime() - Date.parse(marker.notedAt);
      return age >= 0 && age < LATEST_CHANGE;
    });
    expect(earlier, `a marker before ${key}`).toBe(true);
  }
}
