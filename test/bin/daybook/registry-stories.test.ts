import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it, vi } from 'vitest';
import { recordOf } from '#support/assertions/record-of.ts';
import { textWith } from '#support/assertions/text-with.ts';
import { REGISTRY, entryOf, startDesk } from '#support/command/operator-desk.ts';
import { ROOT } from '#support/documentation/claims.ts';
import { runFunction } from '#support/world/world-functions.ts';

const [FIRST, NEW] = ['700001', '700003'];
const RIGHT = `owner-${FIRST}@merchants.example`;
const WRONG = `owner-700009@merchants.example`;
const OF_NEW = `owner-${NEW}@merchants.example`;

/** A stage at noon in Kuwait. Its service knows a merchant that Daybook does not know. */
async function startNoon() {
  const desk = await startDesk({ merchants: 3, startAt: '2026-11-23T09:00:00Z' });
  const { stage } = desk;
  const registry = recordOf(JSON.parse(await desk.registry()));
  const merchants = [registry['merchants']].flat().filter((entry) => recordOf(entry)['merchantCode'] !== NEW);
  await desk.write(REGISTRY, JSON.stringify({ ...registry, merchants }));
  desk.aws.secrets.put(
    'daybook/credentials',
    JSON.stringify({ merchants: { [FIRST]: entryOf(0), '700002': entryOf(1) } }),
  );
  const typed: string[] = [];
  stage.startQueues();
  return {
    ...desk,
    /** Types a command of the story. */
    type: (line: string, input = '') => {
      typed.push(line);
      return desk.run([...line.split(' ').slice(1), '--yes'], input);
    },
    /** The schedule fires. */
    tick: (moment: string, kind: 'daily' | 'statement' = 'daily') => {
      stage.setTime(moment);
      return runFunction('plan', { kind, scheduledTime: moment }, stage.world.clock);
    },
    readers: () => stage.world.mails().flatMap(({ destinations }) => destinations),
    typed,
  };
}

/** How many commands docs/command.md says that a story needs: as many as were typed. */
function assertCounted(story: string, typed: readonly string[]): void {
  const lines = readFileSync(join(ROOT, 'docs/command.md'), 'utf8').replaceAll(/ +/g, ' ');
  const words = typed.map((line) => `\`${line.split(' --')[0] ?? ''}\``).join(', ');
  expect(lines).toContain(`| ${story} | ${typed.length} | ${words} |`);
}

it('a merchant joins at noon, and has its first report the next morning', async () => {
  const { type, tick, readers, typed } = await startNoon();
  const added = await type(`daybook merchant add ${NEW} --recipients ${OF_NEW}`, JSON.stringify(entryOf(2)));
  expect(added).toMatchObject({ code: 0, stdout: textWith('first the report of 2026-11-23.') });
  await tick('2026-11-23T09:15:00Z');
  await tick('2026-11-24T03:00:00Z');
  await vi.waitFor(() => expect(readers()).toContain(OF_NEW), { timeout: 90_000 });
  expect(readers().filter((reader) => reader === OF_NEW)).toHaveLength(1);
  assertCounted('a merchant joins at noon', typed);
}, 150_000);

it('a bad push is taken back before the next morning', async () => {
  const { run, type, tick, readers, typed, aws, ownFile, writeOwnFile } = await startNoon();
  aws.caller.arn = 'arn:aws:sts::000000000000:assumed-role/Operators/jane';
  await run(['registry', 'pull']);
  writeOwnFile('merchants.json', ownFile('merchants.json').replace(RIGHT, WRONG));
  expect(await run(['registry', 'push', '--yes'])).toMatchObject({ code: 0 });
  const { stdout } = await type('daybook registry history');
  expect(stdout).toMatch(
    /^0 {2}2026-11-23 09:00 UTC {2}jane \(Operators\)\n {3}700001: 1 recipient instead of 1/,
  );
  expect(await type('daybook registry rollback 1')).toMatchObject({
    code: 0,
    stdout: textWith('is changed'),
  });
  await tick('2026-11-24T03:00:00Z');
  await vi.waitFor(() => expect(readers()).toContain(RIGHT), { timeout: 90_000 });
  expect(readers()).not.toContain(WRONG);
  assertCounted('a push was wrong', typed);
}, 150_000);

it('a chain gets a page of all its shops', async () => {
  const { type, tick, readers, typed, ownFile, writeOwnFile } = await startNoon();
  const chief = 'chief@merchants.example';
  await type('daybook registry pull');
  const registry = recordOf(JSON.parse(ownFile('merchants.json')));
  const chain = { name: 'chain', merchants: { prefix: '70' }, recipients: [chief], daily: true };
  writeOwnFile('merchants.json', JSON.stringify({ ...registry, groups: [chain] }));
  expect(await type('daybook registry push')).toMatchObject({ code: 0, stdout: textWith('chain') });
  await tick('2026-11-24T03:00:00Z');
  await vi.waitFor(() => expect(readers()).toContain(RIGHT), { timeout: 90_000 });
  await tick('2026-11-24T05:00:00Z', 'statement');
  await vi.waitFor(() => expect(readers()).toContain(chief), { timeout: 90_000 });
  assertCounted('a chain gets a page', typed);
}, 240_000);
