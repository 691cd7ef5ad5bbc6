import * as z from 'zod';
import { useStage } from '#support/command/command-stage.ts';
import { documentOf, says } from '#support/command/run-command.ts';
import { sealPage, sealPeriod } from '#support/statement/statement-world.ts';
import { CODE, runFunction } from '#support/world/daybook-world.ts';

const STATEMENTS = { weekly: { on: 'sunday', at: '08:00' }, monthly: { onDay: 1, at: '09:00' } };
const SHOPS = { name: 'shops', merchants: 'all', recipients: ['boss@group.example'], daily: true };
const OWN = { recipients: ['a@merchants.example'], name: 'Al Noor Trading', statements: STATEMENTS };

const resultSchema = z.looseObject({ statements: z.array(z.unknown()) });

// Half past nine in Kuwait, on the first of December.
const stage = useStage('each', { startAt: '2026-12-01T06:40:00Z' }, async (stage) => {
  const groups = [{ ...SHOPS, monthly: { onDay: 1, at: '09:30' } }];
  await stage.world.putRegistry({ [CODE]: OWN }, {}, { groups });
});

const status = (...args: string[]) => stage.run('status', ...args);

const make = (event: object) => runFunction('statement', event, stage.world.clock);

async function statementsOf(...args: string[]): Promise<unknown> {
  return resultSchema.parse(documentOf(await status('--json', ...args))).statements;
}

it('shows the newest statement of each kind, with its revision and its mail', async () => {
  await sealPeriod(stage.world, '2026-11');
  await make({ merchantCode: CODE, period: '2026-11' });
  await make({ merchantCode: CODE, period: '2026-W48' });
  await make({ group: 'shops', period: '2026-11-30' });
  await make({ group: 'shops', period: '2026-11' });
  expect(await statementsOf()).toMatchObject([
    { merchantCode: CODE, group: null, kind: 'week', period: '2026-W48', state: 'mailed', revision: 1 },
    { merchantCode: CODE, period: '2026-11', state: 'mailed', revision: 1, final: true, mail: 'accepted' },
    { merchantCode: null, group: 'shops', kind: 'day', period: '2026-11-30', state: 'mailed', final: true },
    { group: 'shops', kind: 'month', period: '2026-11', state: 'mailed', final: true },
  ]);
  await says(
    status(),
    1,
    /due +4\n +sealed +4\n +final +4\n +waiting +0\n +need a look +0\n/,
    /700001 +Al Noor Trading +2026-11 +mailed +r1 +final +accepted +-/,
    /group shops +- +2026-11-30 +mailed +r1 +final +accepted +-/,
  );
});

it('names the days that a statement waits for, and the merchants that a page waits for', async () => {
  await sealPeriod(stage.world, '2026-11', { except: ['2026-11-03', '2026-11-30'] });
  expect(await statementsOf()).toMatchObject([
    { period: '2026-W48', state: 'missing', reason: 'not sealed', missing: [] },
    {
      period: '2026-11',
      state: 'waiting',
      revision: null,
      missing: ['2026-11-03', '2026-11-30'],
      deadline: '2026-12-01T18:00:00.000Z',
    },
    // The group's page of 30 November is not due: nobody has a page of that day, and the missing reports are told.
    { group: 'shops', period: '2026-11', state: 'waiting', missing: [CODE] },
  ]);
  const waits = /2026-11 +waiting +- +- +- +not sealed; not there: 2026-11-03, 2026-11-30/;
  await says(status(), 1, waits, `npx daybook why ${CODE} 2026-W48 --local`);
});

it('needs a look at a provisional one, and says what it lacks', async () => {
  await sealPeriod(stage.world, '2026-11', { except: ['2026-11-03', '2026-11-05'] });
  await sealPage(stage.world, { day: '2026-11-05', merchantCode: CODE, balanced: false });
  await make({ merchantCode: CODE, period: '2026-11' });
  await make({ group: 'shops', period: '2026-11' });
  const lacks = 'not there: 2026-11-03; not balanced: 2026-11-05';
  const provisional = new RegExp(`2026-11 +provisional +r1 +provisional +accepted +${lacks}`);
  await says(status(), 1, provisional, /group shops +- +2026-11 +provisional +r1 .*not final: 700001/);
});

it('says nothing of statements when nobody gets any, or when a date is asked for', async () => {
  expect(await statementsOf('--day', '2026-11-20')).toEqual([]);
  await stage.world.putRegistry({ [CODE]: { recipients: ['a@merchants.example'] } });
  expect(await statementsOf()).toEqual([]);
  expect((await status()).stdout).not.toContain('statements');
});
