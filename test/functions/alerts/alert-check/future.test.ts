import { alertStateKey } from '#records/storage/keys.ts';
import { BUCKET, CODE, DAY } from '#support/world/daybook-world.ts';
import { useAlertScript, minutesAfterNoon } from '#support/alerts/alert-script.ts';

const MINUTE = 60_000;
const FUTURE = '2199-01-01T00:00:00.000Z';

const script = useAlertScript();
beforeEach(() => script.world.clock.setTo(minutesAfterNoon(0)));

/** A check by the schedule, as late as a tick usually is. */
async function scheduledCheck() {
  const { world } = script;
  world.clockAhead += 15 * MINUTE;
  const scheduledTime = new Date(world.clock.now() - MINUTE / 2).toISOString();
  return world.alertCheck({ scheduledTime });
}

describe('a check by hand with a time in the future', () => {
  it.each([FUTURE, '2199-01-01T03:00:00+03:00'])(
    'is made with the current time, and later checks are not ignored because of it: %s',
    async (now) => {
      script.unpaid(3);
      expect(await script.world.alertCheck({ now })).toMatchObject({ ignored: null, day: DAY });
      expect(Date.parse((await script.state()).tick)).toBeLessThanOrEqual(script.world.clock.now());
      script.unpaid(6);
      expect(await scheduledCheck()).toMatchObject({
        ignored: null,
        mailed: true,
        transitions: [{ rule: 'too-many-unpaid', from: 'ok', to: 'firing' }],
      });
    },
  );

  it('is refused when its event is a tick more than five minutes ahead, and writes nothing', async () => {
    const ahead = (minutes: number) => new Date(script.world.clock.now() + minutes * MINUTE).toISOString();
    const refusal = { name: 'InvalidEventError', member: 'scheduledTime' };
    for (const scheduledTime of [FUTURE, ahead(6)])
      await expect(script.world.alertCheck({ scheduledTime })).rejects.toMatchObject(refusal);
    expect(script.world.keys('alerts/')).toEqual([]);
    expect(await script.world.alertCheck({ scheduledTime: ahead(4) })).toMatchObject({ ignored: null });
  });
});

describe('a state with times in the future', () => {
  const spoil = async (more: object = {}) => {
    const state = { ...(await script.state()), tick: FUTURE, ...more };
    await script.world.aws.s3.write(BUCKET, alertStateKey(CODE), JSON.stringify(state));
  };

  it('is repaired by the next check: the check counts, and a firing rule is mailed again when the time comes', async () => {
    const rule = { name: 'too-many-unpaid', measure: 'unpaidCount', above: 5, repeatAfter: '1h' };
    await script.rules([rule]);
    script.unpaid(6);
    expect(await scheduledCheck()).toMatchObject({ mailed: true });
    const { rules } = await script.state();
    const fired = rules[rule.name];
    await spoil({ rules: { [rule.name]: { ...fired, announced: { ...fired?.announced, at: FUTURE } } } });
    expect(await scheduledCheck()).toMatchObject({ ignored: null });
    for (let check = 0; check < 6; check += 1) {
      script.unpaid(6);
      await scheduledCheck();
    }
    expect(Date.parse((await script.state()).tick)).toBeLessThanOrEqual(script.world.clock.now());
    expect(await script.mails()).toHaveLength(2);
  });

  it('is repaired by a check that moves nothing else, too', async () => {
    script.unpaid(1);
    await scheduledCheck();
    await spoil();
    expect(await scheduledCheck()).toMatchObject({ ignored: null, transitions: [] });
    expect(Date.parse((await script.state()).tick)).toBeLessThanOrEqual(script.world.clock.now());
  });
});
