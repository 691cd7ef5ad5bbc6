import { GetObjectCommand, S3Client } from '@aws-sdk/client-s3';
import { sweep } from '#support/watch/running-watch.ts';
import { BUCKET, CODE, shareWorld } from '#support/world/daybook-world.ts';

/*
 * A test that means one thing today and another tomorrow is worse than none. Here a world lives in another year than the
 * machine, whatever year that is, and nothing in it may be of the machine's date.
 */

const YEAR = new Date().getUTCFullYear() + 7;
const DAY = `${YEAR}-05-16`;
const BEGIN = `${YEAR}-05-17T05:00:00.000Z`;
/** Longer than any of these tests takes. Milliseconds. */
const LONGEST = 10 * 60_000;

const world = shareWorld({ perPage: 10 });
beforeAll(async () => {
  world.clock.setTo(BEGIN);
  world.putSecret();
  await world.putRegistry({ [CODE]: { alerts: [{ name: 'many', measure: 'invoiceCount', above: 1 }] } });
  world.payments.data.seedDay(CODE, DAY, { invoices: 25, refunds: 2 });
  world.aws.requests.length = world.payments.requests.length = 0;
  await world.report({ day: DAY });
  await world.alertCheck({ day: DAY });
  await sweep(world);
});

/** The time is between the beginning of the world and its present. */
function expectOfTheWorld(time: Date | number | undefined): void {
  const at = new Date(time ?? 0).getTime();
  // Answers have whole seconds.
  expect(new Date(at).toISOString()).toSatisfy(
    () => at >= Date.parse(BEGIN) - 1_000 && at <= world.clock.now(),
  );
  expect(world.clock.now() - Date.parse(BEGIN)).toBeLessThan(LONGEST);
}

describe('a world in another year', () => {
  it('dates mails and requests by its own clock', () => {
    expect(world.mails().map(({ tags }) => tags['kind'])).toEqual(['report', 'alert']);
    for (const { at, raw } of world.mails()) {
      expectOfTheWorld(at);
      expectOfTheWorld(new Date(/^Date: (.*)\r$/m.exec(raw.toString())?.[1] ?? 0));
    }
    expect(world.payments.requests.length).toBeGreaterThan(5);
    for (const { at } of [...world.aws.requests, ...world.payments.requests]) expectOfTheWorld(at);
  });

  it('has no time of another year in any object or key', async () => {
    const texts = await Promise.all(world.keys().map(async (key) => `${key}\n${await world.text(key)}`));
    const moments = texts.flatMap((text) => text.match(/\b\d{4}-\d\d-\d\d[T ]\d\d:|\b\d{8}T\d{6}Z/g) ?? []);
    expect(moments.length).toBeGreaterThan(50);
    expect(moments.filter((moment) => !moment.startsWith(`${YEAR}`))).toEqual([]);
  });

  it('does not make the SDK believe that the clock is wrong, so a refused request is not sent again', async () => {
    const client = new S3Client({});
    const earlier = world.aws.requests.length;
    const get = client.send(new GetObjectCommand({ Bucket: BUCKET, Key: 'absent' }));
    await expect(get).rejects.toMatchObject({ name: 'NoSuchKey' });
    expect(world.aws.requests.length - earlier).toBe(1);
    client.destroy();
  });

  it('expires the tokens of the payment service by its own clock', async () => {
    const { behaviour, requests } = world.payments;
    behaviour.tokenLifetimeMilliseconds = 60_000;
    requests.length = 0;
    const before = () => {
      world.clock.ahead += 60_000;
    };
    behaviour.faults.add({ operation: 'invoices', skip: 2, action: { kind: 'call', before } });
    await world.report({ day: DAY });
    expect(requests.filter(({ refusal }) => refusal === 'the access token has expired')).not.toEqual([]);
  });
});
