import { ledgerKey, manifestKey } from '#records/storage/keys.ts';
import { BUCKET, CODE, DAY, useWorld } from '#support/world/daybook-world.ts';
import { watch } from '#support/watch/running-watch.ts';
import { captureOutput } from '#support/runtime/captured-output.ts';
import { membersOf } from '#support/assertions/index.ts';

/** Processor time of one run of the watch, milliseconds. */
const MOST_TIME = 10_000;
const MIB = 1024 * 1024;

const world = useWorld({ merchants: 8 });

/** As many of the shortest values as fit into an object of that size. */
function shortest(mebibytes: number): unknown[] {
  return Array.from({ length: (mebibytes * MIB) / 2 - 4_000 }, () => 1);
}

/** Too many values, although each is longer than most are. */
const LONG = Array.from({ length: 110_000 }, () => 'x'.repeat(20));

it.each([
  ['ledgers', (code: string) => ledgerKey(DAY, code, 1), shortest(1)],
  ['manifests', (code: string) => manifestKey(DAY, code, 1), shortest(4)],
  ['manifests, in long values,', (code: string) => manifestKey(DAY, code, 1), LONG],
])(
  'junk in the %s of seven merchants costs the watch little time, and does not hide the eighth',
  async (_, keyOf, junk) => {
    world.payments.data.seedDay(CODE, DAY, { invoices: 2, refunds: 0 });
    await world.report();
    const codes = Array.from({ length: 7 }, (_each, index) => `${700_002 + index}`);
    const whole = membersOf(JSON.parse(await world.text(keyOf(CODE))));
    const list = 'recipients' in whole ? 'recipients' : 'differences';
    const spoilt = JSON.stringify({ ...whole, [list]: junk });
    for (const code of codes) {
      await world.aws.s3.write(BUCKET, manifestKey(DAY, code, 1), JSON.stringify({}));
      await world.aws.s3.write(BUCKET, keyOf(code), spoilt);
    }
    const output = captureOutput();
    const before = process.cpuUsage();
    const answer = await watch(world);
    const { user, system } = process.cpuUsage(before);
    expect(answer).toMatchObject({ expected: 8, delivered: 1 });
    expect(answer.missing).toEqual(
      codes.map((merchantCode) => ({ merchantCode, day: DAY, reason: 'records not readable' })),
    );
    expect(output.text()).toContain(`object ${keyOf('700002')} holds more values than it could need`);
    expect((user + system) / 1_000).toBeLessThan(MOST_TIME);
  },
  60_000,
);
