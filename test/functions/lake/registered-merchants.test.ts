import { RegisteredMerchants } from '#lake/registered-merchants.ts';
import { REGISTERED_MERCHANTS } from '#records/storage/keys.ts';
import { RegistrySource } from '#registry/registry-source.ts';
import { createS3Client } from '#runtime/s3-client.ts';
import { membersOf } from '#support/assertions/index.ts';
import { BUCKET, CODE, DaybookWorld } from '#support/world/daybook-world.ts';
import { createGroupTables, lookAtGroup, mergeGroup } from '#lake/sql/groups.ts';
import { plainName, quotedText } from '#lake/sql/quoting.ts';
import { HISTORY_MERGES } from '#lake/sql/history-tables.ts';
import { look } from '#lake/sql/statements/look.ts';
import { mergeDays, mergeMail, mergeRecords } from '#lake/sql/statements/merge.ts';
import { askFor, note, noteDaysMerged } from '#lake/sql/statements/notes.ts';
import { createTable, optimize } from '#lake/sql/statements/tables.ts';
import { beginStatement, stateStatement, viewStatement } from '#lake/sql/statements/views.ts';
import { ALL_DAYS } from '#lake/sql/views/all.ts';
import { countRows, filesOfCustomer, forgettingOf } from '#lake/sql/statements/forget.ts';

const SECOND = '700002';
const HOSTILE = `'; DROP TABLE "x" --\u2028\n\\ نور`;
const at = (hour: number) => `2026-11-22T0${hour}:00:00.000Z`;

async function keeper(world: DaybookWorld) {
  const s3 = createS3Client();
  const registered = () =>
    new RegisteredMerchants(s3, BUCKET, new RegistrySource(s3, BUCKET, 'config/merchants.json'));
  const keep = (hour: number) => registered().keep(Date.parse(at(hour)));
  const rows = async () =>
    (await world.text(REGISTERED_MERCHANTS))
      .trimEnd()
      .split('\n')
      .map((line) => membersOf(JSON.parse(line)));
  await keep(1);
  return { keep, rows, forget: (merchantCode: string) => registered().forget(merchantCode) };
}

it('has a line for each merchant, with all that words and units need', async () => {
  const world = await DaybookWorld.ofTest({ merchants: 2 });
  const groups = [
    { name: 'all', merchants: 'all', recipients: ['ops@example.com'] },
    { name: 'one', merchants: [CODE], recipients: ['ops@example.com'] },
  ];
  await world.putRegistry({ [CODE]: { name: HOSTILE, charges: ['admin_charge'] } }, {}, { groups });
  const { rows } = await keeper(world);
  expect(await rows()).toEqual([
    {
      ...{ merchantCode: CODE, name: HOSTILE, timeZone: 'Asia/Kuwait', currency: 'KWD' },
      invoiceStatuses: { 0: 'not_paid', 1: 'paid', 3: 'cancelled' },
      refundStatuses: { 0: 'pending', 1: 'approved', 2: 'rejected' },
      ...{ charges: ['admin_charge'], groups: ['all', 'one'], since: at(1), until: null },
    },
    expect.objectContaining({
      merchantCode: SECOND,
      charges: [],
      groups: ['all'],
      since: at(1),
      until: null,
    }),
  ]);
});

it('keeps what the registry said before, and writes nothing when it says the same', async () => {
  const world = await DaybookWorld.ofTest({ merchants: 2 });
  const { keep, rows } = await keeper(world);
  const first = await rows();
  const writes = () =>
    world.aws.requests.filter(
      ({ operation, key }) => operation === 'PutObject' && key === REGISTERED_MERCHANTS,
    );
  await keep(2);
  expect(writes()).toHaveLength(1);
  await world.putRegistry({ [CODE]: { currency: 'USD' } });
  await keep(3);
  await world.putRegistry({ [CODE]: { currency: 'USD' }, [SECOND]: { timeZone: 'Nowhere/At-All' } });
  await keep(4);
  expect(await rows()).toEqual([
    { ...first[0], until: at(3) },
    // It cannot be used now, and is not gone.
    first[1],
    { ...first[0], currency: 'USD', since: at(3) },
  ]);
  await world.putRegistry({ [CODE]: { currency: 'USD' }, [SECOND]: { merchantCode: '800000' } });
  await keep(5);
  expect((await rows()).slice(1)).toEqual([
    { ...first[1], until: at(5) },
    { ...first[0], currency: 'USD', since: at(3) },
    { ...first[1], merchantCode: '800000', since: at(5) },
  ]);
});

it('forgets all that was said of a merchant that has left, and of no other', async () => {
  const world = await DaybookWorld.ofTest({ merchants: 2 });
  const { keep, rows, forget } = await keeper(world);
  const [first] = await rows();
  await world.putRegistry({ [SECOND]: { merchantCode: '800000' } });
  await keep(2);
  expect(await rows()).toHaveLength(3);
  await forget(SECOND);
  expect(await rows()).toEqual([first, expect.objectContaining({ merchantCode: '800000' })]);
  await keep(3);
  expect(await rows()).toHaveLength(2);
});

const HOSTILE_WORDS = "7'; DELETE FROM days_history --";
const slice = { days: [HOSTILE_WORDS], from: HOSTILE_WORDS, to: HOSTILE_WORDS };
const HOSTILE_CUSTOMER = { emails: [HOSTILE_WORDS], phones: [HOSTILE_WORDS], ids: [HOSTILE_WORDS] };
const group = { name: 'north', merchants: [HOSTILE_WORDS], personal: true };
const found = {
  complete_from: HOSTILE_WORDS,
  complete_to: HOSTILE_WORDS,
  merged_days: HOSTILE_WORDS,
  merged_mail_days: HOSTILE_WORDS,
  days_waiting: HOSTILE_WORDS,
  mail_waiting: HOSTILE_WORDS,
  waiting_since: HOSTILE_WORDS,
  looked_at: HOSTILE_WORDS,
  settled_at: HOSTILE_WORDS,
  pointed_by: HOSTILE_WORDS,
};

/** Every statement that has something from outside in it. */
const STATEMENTS = {
  look: [look({ since: HOSTILE_WORDS, now: HOSTILE_WORDS })],
  merge: [
    mergeRecords('invoices', slice),
    mergeDays(slice, HOSTILE_WORDS),
    mergeMail(slice),
    optimize({ name: 'days_history' }, HOSTILE_WORDS),
    createTable(HISTORY_MERGES, { database: 'daybook', location: HOSTILE_WORDS }),
  ],
  notes: [
    noteDaysMerged(slice, HOSTILE_WORDS),
    note(HOSTILE_WORDS, HOSTILE_WORDS),
    askFor(slice, HOSTILE_WORDS),
  ],
  views: [beginStatement(found), stateStatement(found), viewStatement(ALL_DAYS, found)],
  groups: [
    lookAtGroup('daybook', group),
    ...mergeGroup('daybook', group, { from: HOSTILE_WORDS, to: HOSTILE_WORDS }),
  ],
  forgetting: [
    filesOfCustomer(HOSTILE_CUSTOMER, HOSTILE_WORDS, HOSTILE_WORDS),
    ...[HOSTILE_CUSTOMER, { merchantCode: HOSTILE_WORDS }].flatMap((forgotten) => {
      const forgettings = forgettingOf(forgotten, 'daybook', [group]);
      return [countRows(forgettings), ...forgettings.map(({ sql }) => sql)];
    }),
  ],
};

describe('a statement', () => {
  it.each(Object.entries(STATEMENTS))(
    'has what comes from outside in quotes only: %s',
    (_name, statements) => {
      for (const sql of statements) {
        const outside = sql.replaceAll(/'(?:[^']|'')*'/g, 'TEXT');
        expect(outside).not.toContain('DELETE FROM days_history --');
      }
    },
  );

  it('names no database that would need quotes', () => {
    expect(() => createGroupTables('daybook', { ...group, name: 'north"; --' }, 's3://b/')).toThrow(
      'is no name of a table',
    );
    expect(plainName('daybook_prod__x_north_2')).toBe('daybook_prod__x_north_2');
  });

  it('ends a text where the text ends', () => {
    expect(quotedText("it's ''")).toBe("'it''s '''''");
  });
});
