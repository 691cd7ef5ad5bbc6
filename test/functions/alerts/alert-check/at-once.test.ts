import { alertStateKey } from '#records/storage/keys.ts';
import { CODE } from '#support/world/daybook-world.ts';
import { useAlertScript, TOO_MANY_UNPAID, minutesAfterNoon } from '#support/alerts/alert-script.ts';
import { defined } from '#support/assertions/index.ts';

const script = useAlertScript([{ ...TOO_MANY_UNPAID, forChecks: 2 }]);

describe('several checks at once', () => {
  it.each([1, 2])('of the same tick make one transition and one mail (tick %i)', async (ticks) => {
    script.unpaid(6);
    if (ticks === 2) await script.check(0);
    const scheduledTime = minutesAfterNoon(15);
    const answers = await Promise.all(
      Array.from({ length: 5 }, (_, index) => script.check(15 + index, { scheduledTime })),
    );
    expect(answers.filter(({ transitions }) => transitions.length > 0)).toHaveLength(1);
    expect(answers.filter(({ ignored }) => ignored === null)).toHaveLength(1);
    expect(answers.filter(({ mailed }) => mailed)).toHaveLength(ticks - 1);
    expect(script.world.sendRequests()).toBe(ticks - 1);
    expect(defined((await script.state()).rules['too-many-unpaid']).checks).toBe(ticks);
  });

  it('of two ticks: if the earlier tick writes first, the later one decides again on the same readings', async () => {
    script.unpaid(6);
    const requests = await script.requestsOf(async () => {
      script.world.beforePut(/^alerts\//, async () => {
        await script.check(0);
      });
      expect(await script.check(15)).toMatchObject({
        transitions: [{ from: 'pending', to: 'firing' }],
        mailed: true,
      });
    });
    expect(requests).toEqual({ login: 2, invoices: 8 });
  });

  it('that lose every conditional write end with an error instead of an endless loop', async () => {
    script.unpaid(6);
    let minutes = 0;
    const before = async () => {
      minutes += 1;
      const state = { day: '2026-11-20', tick: minutesAfterNoon(minutes), rules: {}, owed: null };
      await script.world.aws.s3.write('daybook-data', alertStateKey(CODE), JSON.stringify(state));
    };
    script.world.beforePut(/^alerts\//, before, Infinity);
    await expect(script.check(100)).rejects.toMatchObject({ name: 'StateContestedError' });
    expect(minutes).toBe(5);
  });
});

it('a dry run shows what would happen, and writes and sends nothing', async () => {
  await script.rules([TOO_MANY_UNPAID]);
  script.unpaid(6);
  const before = script.world.keys();
  for (let run = 0; run < 2; run += 1) {
    expect(await script.check(0, { dryRun: true })).toMatchObject({
      transitions: [{ from: 'ok', to: 'firing', value: '6.000' }],
      mailed: false,
      mail: null,
    });
  }
  expect(script.world.keys()).toEqual(before);
  expect(script.world.sendRequests()).toBe(0);
});
