import { setTimeout } from 'node:timers/promises';
import { addressHash, suppressionKey } from '#records/storage/keys.ts';
import { membersOf, textWith } from '#support/assertions/index.ts';
import { LAST_GOOD, REGISTRY, entryOf, useDesk } from '#support/command/command-stage.ts';
import { CTRL_C } from '#support/command/run-command.ts';
import { BUCKET, CODE, SECRET } from '#support/world/daybook-world.ts';

const FILE = 'merchants.json';
const OTHER = '700002';
const OWNER = `owner-${CODE}@merchants.example`;
const STOP = suppressionKey(addressHash(OWNER));
const ROTATED = { accessCode: 'another' };

// The last good registry of the stage is its registry. The person's file lacks the second merchant.
const desk = useDesk({}, async () => {
  await desk.write(LAST_GOOD, await desk.registry());
  await desk.run(['registry', 'pull']);
  const registry = membersOf(JSON.parse(await desk.registry()));
  const [kept] = [registry['merchants']].flat();
  desk.writeOwnFile(FILE, JSON.stringify({ ...registry, merchants: [kept] }));
});

interface Change {
  command: readonly string[];
  input?: unknown;
  /** The first request that changes something. */
  operation: string;
  prepare?: () => unknown;
  done: string;
  /** What must be true of all parts of the change, or of none. */
  parts: () => Promise<boolean[]>;
}

const isGone = async (key: string) => !(await desk.read(key)).includes(OTHER);

const CHANGES: Record<string, Change> = {
  'registry push': {
    command: ['registry', 'push', '--accept-removals', '--yes'],
    operation: 'PutObject',
    done: 'The registry of local is changed.',
    parts: async () => [await isGone(REGISTRY), await isGone(LAST_GOOD)],
  },
  'merchant remove': {
    command: ['merchant', 'remove', OTHER, '--with-secret', '--yes'],
    operation: 'PutSecretValue',
    done: `${OTHER} is removed.`,
    parts: async () => [desk.entry(OTHER) === undefined, await isGone(REGISTRY), await isGone(LAST_GOOD)],
  },
  'merchant add': {
    command: ['merchant', 'add', OTHER, '--recipients', OWNER, '--dry-run'],
    input: entryOf(1),
    operation: 'PutSecretValue',
    prepare: () => desk.run(['merchant', 'remove', OTHER, '--with-secret', '--yes']),
    done: `${OTHER} is added.`,
    parts: async () => [desk.entry(OTHER) !== undefined, !(await isGone(REGISTRY))],
  },
  'secret rotate': {
    command: ['secret', 'rotate', CODE, '--unproven'],
    input: ROTATED,
    operation: 'PutSecretValue',
    done: `${SECRET} is changed.`,
    parts: () => Promise.resolve([JSON.stringify(desk.entry(CODE)).includes(ROTATED.accessCode)]),
  },
  'suppression remove': {
    command: ['suppression', 'remove', OWNER],
    operation: 'DeleteSuppressedDestination',
    prepare: async () => {
      desk.aws.mailSettings.suppress(OWNER, 'BOUNCE');
      await desk.write(STOP, JSON.stringify({ reason: 'asked us to' }));
    },
    done: `${OWNER} gets mail again.`,
    parts: async () => [(await desk.aws.s3.read(BUCKET, STOP)) === undefined],
  },
};

it.each(Object.entries(CHANGES))(
  '%s: Ctrl-C in the middle waits until all is written, and ends the command then',
  async (_, { command, input, operation, prepare, done, parts }) => {
    await prepare?.();
    expect(new Set(await parts())).toEqual(new Set([false]));
    let pid = 0;
    const before = async () => {
      process.kill(pid, 'SIGINT');
      await setTimeout(300);
    };
    desk.aws.faults.add({ operation, action: { kind: 'call', before } });
    const ended = await desk.runProcess(command, {
      ...(input !== undefined && { input: JSON.stringify(input) }),
      onStart: (started) => (pid = started),
    });
    expect(ended).toMatchObject({ code: 130, stderr: textWith('Finishing what has begun.') });
    expect(ended.stderr.trimEnd().split('\n').at(-1)).toBe(done);
    expect(new Set(await parts())).toEqual(new Set([true]));
  },
  60_000,
);

it('finishes a push on a terminal, too, and ends at once at the second Ctrl-C', async () => {
  const push = ['registry', 'push', '--accept-removals'];
  const answers = [
    ['Change the registry', 'y'],
    ['Yes', CTRL_C],
  ] as const;
  const action = { kind: 'call', before: () => setTimeout(2_000) } as const;
  const slow = () => desk.aws.faults.add({ operation: 'PutObject', action });
  slow();
  const twice = await desk.runOnTerminal(push, [...answers, ['Finishing', CTRL_C]]);
  expect(twice).toMatchObject({ code: 130 });
  expect(twice.written).not.toContain('is changed');
  await setTimeout(2_500);
  await desk.run(['registry', 'pull', '--yes']);
  desk.writeOwnFile(FILE, desk.ownFile(`${FILE}.mine`));
  slow();
  const once = await desk.runOnTerminal(push, answers);
  expect(once).toMatchObject({ code: 130, written: textWith('The registry of local is changed.') });
  expect(await isGone(LAST_GOOD)).toBe(true);
}, 120_000);

it('says that a function goes on', async () => {
  desk.aws.faults.add({ operation: 'Invoke', action: { kind: 'call', before: () => setTimeout(2_000) } });
  const ended = await desk.runOnTerminal(['report', CODE, '--dry-run'], [['daily-report runs', CTRL_C]]);
  const goesOn = 'daily-report goes on without this command';
  expect(ended).toMatchObject({ code: 130, written: textWith(goesOn) });
}, 60_000);
