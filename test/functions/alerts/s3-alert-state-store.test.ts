import { afterEach, describe, expect, it } from 'vitest';
import { alertStateKey } from '#records/storage/keys.ts';
import { AlertScript } from '#support/alert-check/alert-script.ts';
import { BUCKET, CODE } from '#support/world/daybook-world.ts';

let script: AlertScript;
afterEach(() => script.close());

/** A script with a firing rule, and the rule's state at that moment. */
async function fired(): Promise<Record<string, unknown>> {
  script = await AlertScript.start();
  script.unpaid(6);
  await script.check(0);
  return { ...(await script.state()) };
}

const put = (text: string) => script.world.aws.s3.write(BUCKET, alertStateKey(CODE), text);

describe('a state', () => {
  it.each([
    ['is not JSON', () => '{"tick":'],
    ['has a malformed tick', (state) => JSON.stringify({ ...state, tick: 'half past nine' })],
    ['has no rules', (state) => JSON.stringify({ ...state, rules: undefined })],
  ] satisfies [string, (state: object) => string][])(
    'that %s makes checks fail with an error that names its key',
    async (_, spoilt) => {
      await put(spoilt(await fired()));
      script.unpaid(1);
      await expect(script.check(15)).rejects.toMatchObject({
        name: 'StoredObjectError',
        key: alertStateKey(CODE),
      });
      expect(script.world.mails('alert')).toHaveLength(1);
    },
  );

  it('with members of another version is read as far as its members are known', async () => {
    await put(JSON.stringify({ ...(await fired()), later: { version: 9 } }));
    script.unpaid(1);
    expect((await script.check(15)).transitions).toMatchObject([{ from: 'firing', to: 'ok' }]);
  });
});
