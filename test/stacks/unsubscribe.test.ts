import { describe, expect, it } from 'vitest';
import { FUNCTIONS } from '#lib/functions.ts';
import { readersStopKey } from '#records/storage/readers-stop.ts';
import { addressHash } from '#records/storage/keys.ts';
import { grantedBy } from '#support/stacks/granted.ts';
import { serveStops, stopLinkIn } from '#support/unsubscribe/running-unsubscribe.ts';
import { CODE, DAY, useWorld } from '#support/world/daybook-world.ts';

const statementsOf = await grantedBy('prod', { unsubscribe: true });
const rights = statementsOf('unsubscribe');

describe('the rights of unsubscribe', () => {
  const world = useWorld({ environment: { OPS_TOPIC_ARN: 'arn:aws:sns:us-east-1:111122223333:ops' } });

  it('are the recorded statements', async () => {
    await expect(`${rights.join('\n')}\n`).toMatchFileSnapshot('rights/unsubscribe.txt');
  });

  it('allow each call that it makes, and no object that it does not use', async () => {
    const api = await serveStops(world);
    world.payments.data.seedDay(CODE, DAY, { invoices: 3, refunds: 1 });
    await world.putEmptyHistories();
    await world.report();
    const link = await stopLinkIn(world, 'report');
    const before = world.aws.requests.length;
    for (const [method, body] of [
      ['GET'],
      ['POST', 'List-Unsubscribe=One-Click'],
      ['POST', 'do=undo'],
    ] as const) {
      expect((await fetch(link, { method, ...(body !== undefined && { body }) })).status).toBe(200);
    }
    await fetch(`${api}/u/x`);
    const calls = world.aws.requests
      .slice(before)
      .flatMap(({ service, operation, key = '' }) =>
        service === 's3' ? [`s3:${operation}: data/${key}`] : [],
      );
    const allowed = rights.filter((line) => /^s3:(Get|Put|Delete)/.test(line));
    const allows = (line: string, call: string) =>
      line.endsWith('*') ? call.startsWith(line.slice(0, -1)) : call === line;
    expect(calls.filter((call) => !allowed.some((line) => allows(line, call)))).toEqual([]);
    // The last good registry serves when the registry cannot. Groups have their own keys.
    const other = /last-good|group=/;
    const unused = allowed.filter((line) => !calls.some((call) => allows(line, call)) && !other.test(line));
    expect(unused).toEqual([]);
    const services = new Set(world.aws.requests.slice(before).map(({ service }) => service));
    expect([...services].sort()).toEqual(['s3', 'ses', 'sns']);
  });

  it('reach no stop of all mail to an address', () => {
    const whole = `data/mail-stops/${addressHash('a@merchants.example')}.json`;
    const own = `data/${readersStopKey({ owner: { group: 'shops' }, mails: 'pages', recipient: '0' })}`;
    const touched = (key: string) =>
      rights.filter((line) => line.endsWith('*') && key.startsWith(line.slice(line.indexOf(': ') + 2, -1)));
    expect(touched(own).length).toBeGreaterThan(2);
    expect(touched(whole)).toEqual([]);
  });
});

it('the functions that mail merchants may read the key of links, and no other but unsubscribe', () => {
  const readers = [...Object.keys(FUNCTIONS), 'unsubscribe'].filter((name) =>
    statementsOf(name).some((line) => /GetSecretValue: <Links/.test(line)),
  );
  expect(readers).toEqual(['daily-report', 'statement', 'alert-check', 'unsubscribe']);
});
