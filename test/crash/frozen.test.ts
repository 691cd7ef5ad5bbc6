import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { cachedBuild } from '#scripts/cached-build.ts';
import { CODE, DAY, useWorld } from '#support/world/daybook-world.ts';

/*
 * Lambda freezes a function between two events. What was idle for long is closed meanwhile, without a word that the function
 * could hear.
 */

const INVOKE_EACH = join(import.meta.dirname, '../support/crash/invoke-each.mjs');
const { files } = await cachedBuild();

const world = useWorld();
let warm: ChildProcess;

beforeEach(async () => {
  warm = spawn(process.execPath, [INVOKE_EACH, files.get('daily-report') ?? ''], {
    env: { PATH: process.env['PATH'], ...world.environment },
    stdio: ['ignore', 'ignore', 'inherit', 'ipc'],
  });
  await once(warm, 'message');
});
afterEach(() => warm.kill('SIGKILL'));

async function invoke(event: object): Promise<unknown> {
  const said = once(warm, 'message');
  warm.send(event);
  return (await said)[0];
}

/** Stops the process, as Lambda does, and lets it go on after every peer has forgotten its connections. */
function freezeForLong(): void {
  warm.kill('SIGSTOP');
  world.aws.forgetConnections();
  warm.kill('SIGCONT');
}

it('a mail after a long time goes out once, and is not held', async () => {
  const event = { merchantCode: CODE, day: DAY };
  const sent = { answer: { mail: { status: 'sent' } } };
  expect(await invoke(event)).toMatchObject(sent);
  freezeForLong();
  expect(await invoke({ ...event, resend: true })).toMatchObject(sent);
  expect(world.mails('report')).toHaveLength(2);
  const accepted = { status: 'accepted' };
  expect(await world.ledger(1)).toMatchObject({ recipients: [accepted, accepted] });
});
