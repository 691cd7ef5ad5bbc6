import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { freePort } from '#sandbox/ports.ts';
import { announceOf, objectEvents } from '#support/watch/running-watch.ts';
import { defined, membersOf } from '#support/assertions/index.ts';
import { BUCKET, CODE, DAY, shareWorld } from '#support/world/daybook-world.ts';

/* The receiver of docs/events.md, against an event of a real report. */

const ROOT = resolve(import.meta.dirname, '../../../..');
const [, program = ''] = /```js\n(.*?)```/s.exec(readFileSync(join(ROOT, 'docs/events.md'), 'utf8')) ?? [];

/** Under the root, so that it finds the SDK. */
const PROGRAM = join(ROOT, 'node_modules/.cache/daybook-receiver/receiver.mjs');

const world = shareWorld();
let url: string;
let receiver: ReturnType<typeof spawn>;
let printed = '';

beforeAll(async () => {
  mkdirSync(dirname(PROGRAM), { recursive: true });
  writeFileSync(PROGRAM, program);
  const port = await freePort();
  url = `http://127.0.0.1:${port}/`;
  receiver = spawn(process.execPath, [PROGRAM], {
    env: { ...world.environment, KEY: 'opensesame', BUCKET, PORT: String(port) },
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  receiver.stdout?.on('data', (text: Buffer) => (printed += text.toString()));
  world.payments.data.seedDay(CODE, DAY, { invoices: 12, refunds: 2 });
  const objects = objectEvents(world);
  await world.report();
  for (const object of objects) await announceOf(world)(object);
  while ((await post({}, '').catch(() => 0)) !== 401) await wait(50);
});
afterAll(() => receiver.kill());

async function post(detail: object, key = 'opensesame'): Promise<number> {
  const body = JSON.stringify({ source: 'daybook', 'detail-type': 'ReportSealed', detail });
  return (await fetch(url, { method: 'POST', headers: { 'x-api-key': key }, body })).status;
}

function sealed(): object {
  const event = defined(world.aws.bus.events.find(({ detailType }) => detailType === 'ReportSealed'));
  return membersOf(event.detail);
}

it('has twenty lines', () => {
  const lines = program.split('\n').filter((line) => line.trim() !== '');
  expect(lines.length).toBeLessThanOrEqual(22);
});

it('does not start without a key', async () => {
  const env = { ...world.environment, KEY: '', BUCKET, PORT: '0' };
  const without = spawn(process.execPath, [PROGRAM], { env, stdio: 'ignore' });
  onTestFinished(() => void without.kill());
  expect(await once(without, 'exit')).toEqual([1, null]);
});

it('takes an event that agrees with the sealed page, and uses the figures of the page', async () => {
  const forged = { ...sealed(), counts: { total: 1_000_000 } };
  expect([await post(sealed()), await post(forged)]).toEqual([204, 204]);
  await expect.poll(() => printed.split('ReportSealed').length - 1).toBe(2);
  expect(printed).toContain('total: 12,');
  expect(printed).not.toContain('1000000');
});

it.each([
  ['without the key', {}, '', 401],
  ['with another key', {}, 'opensesamf', 401],
  ['with a key of other characters', {}, 'opensesamé', 401],
  ['with another digest', { digest: '0'.repeat(64) }, undefined, 403],
  ['of another revision', { revision: 2 }, undefined, 403],
  ['of no page', { key: 'days/day=2026-11-19/merchant=700001/r0001.json' }, undefined, 500],
] as const)('refuses one %s', async (_how, change, key, status) => {
  expect(await post({ ...sealed(), ...change }, key)).toBe(status);
});
