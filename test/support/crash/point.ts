import type { AwsSandbox, RecordedRequest } from '#sandbox/aws/index.ts';

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
  faults.add({
    service,
    operation,
    ...(key !== undefined && { key }),
    skip: earlier,
    action: {
      kind: 'call',
      ...(when === 'after'
        ? { after: kill }
        : {
            before: async () => {
              await kill();
              throw new Error('the caller is dead, and its call was never made');
            },
          }),
    },
  });
}
