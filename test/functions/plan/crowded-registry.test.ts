import { beforeEach, expect, test } from 'vitest';
import { captureOutput } from '#support/runtime/captured-output.ts';
import { registryText } from '#support/plan/merchants.ts';
import { plannerOn, REGISTRY, sandboxOfFile } from '#support/plan/running-plan.ts';

const sandbox = sandboxOfFile();
const TICK = '2026-11-21T03:00:00Z';

beforeEach(() => {
  captureOutput();
  sandbox().mail.messages.length = 0;
});

test('one rule with very many unknown members does not make a tick fail', async () => {
  const members = Object.fromEntries(Array.from({ length: 250_000 }, (_, index) => [`member${index}`, 1]));
  const rule = { name: 'many', measure: 'invoiceCount', above: 3, ...members };
  const { plan, write, mails } = plannerOn(sandbox());
  await write(
    REGISTRY,
    registryText([{ merchantCode: '700001' }, { merchantCode: '700002', alerts: [rule] }]),
  );
  expect(await plan({ kind: 'daily', scheduledTime: TICK })).toMatchObject({ itemCount: 2 });
  expect(mails().map(({ raw }) => raw.toString())).toEqual([
    expect.stringContaining('250000 members of the registry are not known'),
  ]);
});
