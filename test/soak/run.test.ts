import { join } from 'node:path';
import { runScript } from '#support/run-script.ts';

const COMMAND = join(import.meta.dirname, '../../soak/run.ts');
const LONGEST_RUN = 10 * 60_000;

const run = (...args: string[]) => runScript(COMMAND, args);

it('keeps every promise over a few days in spite of kills and faults', { timeout: LONGEST_RUN }, async () => {
  const { code, out, complaints } = await run('--days', '3', '--merchants', '5', '--seed', 'short');
  expect({ code, complaints }).toEqual({ code: 0, complaints: '' });
  const lines = out.trim().split('\n');
  expect([lines.at(0), lines.at(-1)]).toEqual([
    expect.stringMatching(/^seed short: 3 days, 5 merchants, /),
    'seed short: every promise was kept',
  ]);
  expect(out.match(/ day \d of 3 /g)).toEqual([' day 1 of 3 ', ' day 2 of 3 ', ' day 3 of 3 ']);
  const count = (what: string) => Number(new RegExp(`^${what} +(\\d+)`, 'm').exec(out)?.[1]);
  for (const what of [
    'kills',
    'service faults',
    'AWS faults',
    'messages that came back',
    'messages delivered twice',
    'deletions lost',
    'changes in the middle of a pull',
  ]) {
    expect([what, count(what)]).toEqual([what, expect.toSatisfy((counted: number) => counted > 0)]);
  }
  // Five merchants and ten days, and the lookback days.
  expect(count('revisions')).toBeGreaterThan(50);
  expect(count('mails')).toBeGreaterThan(30);
  expect(out).toMatch(/^mails .*alert \d+, correction \d+.*report \d+/m);
});

it('refuses a wrong value', { timeout: 120_000 }, async () => {
  expect(await run('--days', '0')).toEqual({
    code: 2,
    out: '',
    complaints: 'soak: --days must be a whole number from 1 to 365, not "0"\n',
  });
});
