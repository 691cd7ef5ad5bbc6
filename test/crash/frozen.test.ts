import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { ledgerSchema } from '#records/ledger/ledger.ts';
import { ledgerKey } from '#records/storage/keys.ts';
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

async function start(): Promise<void> {
  warm = spawn(process.execPath, [INVOKE_EACH, files.get('daily-report') ?? ''], {
    env: { PATH: process.env['PATH'], ...world.environment },
    stdio: ['ignore', 'ignore', 'inherit', 'ipc'],
  });
  await once(warm, 'message');
}

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

afterEach(() => warm.kill('SIGKILL'));

it('a mail after a long time goes out once, and is not held', async () => {
  await start();
  expect(await invoke({ merchantCode: CODE, day: DAY })).toMatchObject({
    answer: { mail: { status: 'sent' } },
  });
  freezeForLong();
  const again = { merchantCode: CODE, day: DAY, resend: true };
  expect(await invoke(again)).toMatchObject({ answer: { mail: { status: 'sent' } } });
  expect(world.mails('report')).toHaveLength(2);
  const { recipients } = ledgerSchema.parse(JSON.parse(await world.text(ledgerKey(DAY, CODE, 1))));
  expect(recipients.map(({ status }) => status)).toEqual(['accepted', 'accepted']);
});
