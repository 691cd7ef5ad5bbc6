import { stopKey } from '#records/storage/readers-stop.ts';
import { RegisteredMerchants } from '#lake/registered-merchants.ts';
import { RegistrySource } from '#registry/registry-source.ts';
import { createS3Client } from '#runtime/s3-client.ts';
import { CHANGES_OF_A_DAY, changeMarker } from '#records/storage/change-marker.ts';
import { sealPeriod } from '#support/statement/statement-world.ts';
import * as closingKeys from '#records/revision/closed-statement.ts';
import * as keys from '#records/storage/keys.ts';
import { BUCKET, CODE, DAY, DaybookWorld, MORNING_AFTER } from '#support/world/daybook-world.ts';
import { prove } from '#support/proofs/running-prove.ts';
import { watch } from '#support/watch/running-watch.ts';
import { mailEventsOf, sesEvent } from '#support/mail-events/running-mail-events.ts';
import { examplesIn, namesBelow, namesIn, sectionOf } from '#support/documentation/markdown.ts';
import { membersOf } from '#support/assertions/index.ts';
import { textOf } from '#support/documentation/documents.ts';

const text = textOf('docs/interfaces.md');
/** What the page says of each key, or of several: the keys, who writes them, what they are. */
const entries = sectionOf(text, '5 Keys in the data bucket').split(/\n+- /).slice(1);
const keysOf = (entry: string) => namesIn(entry.slice(0, entry.indexOf(' (')));
const documented = entries.flatMap(keysOf);

/** A pattern for each placeholder of the page. */
const PLACEHOLDERS: Record<string, string> = {
  D: '\\d{4}-\\d{2}-\\d{2}',
  P: '\\d{4}-(W\\d{2}|\\d{2}(-\\d{2})?)',
  G: '[A-Za-z0-9-]{1,64}',
  M: '[A-Za-z0-9-]{1,64}',
  NNNN: '\\d{4,}',
  T: '\\d{8}T\\d{6}Z(-[0-9a-f]{8})?',
  root: '[0-9a-f]{64}',
  pull: '\\d{8}T\\d{6}Z-[0-9a-f]{8}',
  check: '\\d{8}T\\d{6}Z-[0-9a-f]{8}',
  hash: '[0-9a-f]{64}',
  HHMM: '\\d{3}0',
  what: '(days|mail)',
  mails: '(reports|statements|alerts)',
  name: '[^/]+',
  format: '(csv|xlsx|pdf)',
};

function patternOf(key: string): RegExp {
  const pattern = key
    .split(/(<[^>]+>)/)
    .map((part) => PLACEHOLDERS[part.slice(1, -1)] ?? part.replaceAll('.', '\\.'))
    .join('');
  return new RegExp(`^${pattern}$`);
}

/** The documented keys that a key of the bucket may be. */
function namesOf(key: string): string[] {
  return documented.filter((pattern) => patternOf(pattern).test(key));
}

const [MERCHANT_WEEK, GROUP_DAY] = [
  { owner: { merchantCode: CODE }, period: '2026-W47', revision: 1 },
  { owner: { group: 'everybody' }, period: DAY, revision: 10_000 },
];
/** The week of the day. */
const WEEK = '2026-W47';
const PULL = '20261121T030005Z-9f2c61aa';
const HASH = keys.addressHash('owner@example.com');

/** A key of each function that makes one. */
const MADE: Record<string, string[]> = {
  dataKey: (['invoices', 'refunds'] as const).flatMap((table) =>
    (['json', 'csv'] as const).map((format) => keys.dataKey(table, format, DAY, CODE, PULL)),
  ),
  manifestKey: [keys.manifestKey(DAY, CODE, 1)],
  pageKey: [keys.pageKey(MERCHANT_WEEK), keys.pageKey(GROUP_DAY)],
  linkedFileKey: [
    keys.linkedFileKey({ ...keys.merchantDay(CODE, DAY), revision: 1 }, 'csv'),
    keys.linkedFileKey(MERCHANT_WEEK, 'pdf'),
    keys.linkedFileKey(GROUP_DAY, 'xlsx'),
  ],
  closedKey: [closingKeys.closedKey(MERCHANT_WEEK)],
  reopenedKey: [closingKeys.reopenedKey(MERCHANT_WEEK)],
  pageLedgerKey: [keys.pageLedgerKey(MERCHANT_WEEK), keys.pageLedgerKey(GROUP_DAY)],
  historyKey: [keys.historyKey(CODE)],
  checkedKey: [keys.checkedKey(DAY, CODE)],
  ledgerKey: [keys.ledgerKey(DAY, CODE, 10_000)],
  alertStateKey: [keys.alertStateKey(CODE)],
  alertLedgerKey: [keys.alertLedgerKey(CODE, PULL)],
  suppressionKey: [keys.suppressionKey(HASH)],
  changeKey: CHANGES_OF_A_DAY.map((what) =>
    keys.changeKey(changeMarker(what, DAY, Date.parse('2026-11-21T03:05:00Z'))),
  ),
  forgottenKey: [keys.forgottenKey('2026-11-21T03:05:00Z', '9f2c61aa')],
  opsNoticeKey: [keys.opsNoticeKey('anything')],
  notifiedDayKey: [keys.notifiedDayKey(DAY)],
  notifiedPeriodKey: [keys.notifiedPeriodKey(WEEK), keys.notifiedPeriodKey(DAY)],
  watchListKeys: Object.values(keys.watchListKeys(CODE)),
  proofKey: [keys.proofKey(DAY)],
  provenPagesKey: [keys.provenPagesKey(HASH)],
  lastGoodKey: [keys.lastGoodKey('config/merchants.json')],
};

/** Keys that no function of `keys.ts` makes: of people, of what there is once, and of what readers stop. */
const OTHERS = [
  'config/merchants.json',
  keys.LAST_TICK,
  keys.REGISTERED_MERCHANTS,
  stopKey({ hash: keys.addressHash('a'), of: { owner: { merchantCode: CODE }, mails: 'alerts' } }),
  stopKey({ hash: keys.addressHash('a'), of: { owner: { group: 'everybody' }, mails: 'pages' } }),
];

describe('the keys in docs/interfaces.md', () => {
  it('are tested for every function that makes a key', () => {
    const makers = Object.entries({ ...keys, ...closingKeys })
      .filter(([name, value]) => typeof value === 'function' && /Keys?$/.test(name))
      .map(([name]) => name)
      .filter((name) => !/^(is|mayBe)[A-Z]|In(Ledger)?Key$/.test(name));
    expect(Object.keys(MADE).sort()).toEqual(makers.sort());
  });

  const known = [...Object.values(MADE).flat(), ...OTHERS];

  it.each(known)('include %s', (key) => {
    expect(namesOf(key)).toHaveLength(1);
  });

  it('include no other key', () => {
    expect(documented.filter((pattern) => !known.some((key) => patternOf(pattern).test(key)))).toEqual([]);
  });
});

describe('every object that the functions write', () => {
  let world: DaybookWorld;
  const answers: Record<string, object> = {};

  beforeAll(async () => {
    world = await DaybookWorld.start({ merchants: 2 });
    world.payments.data.seedDay(CODE, DAY, { invoices: 20, refunds: 2 });
    const rule = { name: 'unpaid', measure: 'unpaidCount', above: 0 };
    const group = { name: 'everybody', merchants: 'all', recipients: ['ops@example.com'], daily: true };
    const statements = { weekly: { on: 'sunday', at: '08:00' }, closeAfter: '1d' };
    await world.putRegistry({ [CODE]: { alerts: [rule], statements } }, {}, { groups: [group] });
    world.clock.setTo('2026-11-21T03:00:00Z');
    answers['4.1 plan'] = await world.plan({ kind: 'daily', scheduledTime: '2026-11-21T03:00:00Z' });
    answers['4.2 daily-report'] = await world.report();
    answers['4.3 alert-check'] = await world.alertCheck({ day: DAY, now: '2026-11-20T18:00:00Z' });
    world.clock.setTo(MORNING_AFTER);
    answers['4.4 delivery-watch'] = await watch(world);
    // The week ends on the day after.
    world.clock.setTo('2026-11-22T04:00:00Z');
    await watch(world, { now: '2026-11-22T04:00:00Z' });
    answers['4.7 statement'] = await world.statement({ merchantCode: CODE, period: WEEK });
    await sealPeriod(world, WEEK, { except: [DAY] });
    world.clock.setTo('2026-11-24T04:00:00Z');
    for (const _closed of [1, 2]) await world.statement({ merchantCode: CODE, period: WEEK });
    world.clock.setTo('2026-11-22T04:00:00Z');
    await world.statement({ group: 'everybody', period: DAY });
    const s3 = createS3Client();
    const registry = new RegistrySource(s3, BUCKET, 'config/merchants.json');
    await new RegisteredMerchants(s3, BUCKET, registry).keep(Date.parse('2026-11-22T04:00:00Z'));
    const [report] = world.mails('report');
    await mailEventsOf(world)(await sesEvent('bounced-permanent', report));
    answers['4.10 prove'] = await prove(world);
  });
  afterAll(() => world.close());

  it('has a documented key', () => {
    expect(world.keys().filter((key) => namesOf(key).length !== 1)).toEqual([]);
    // The world has every kind of object that the functions write in a day.
    const found = new Set(world.keys().flatMap(namesOf));
    const byFunctions = documented.filter(
      (key) => !/refunds\/<M>|^forgotten|reopened|^links|^mail-stops\/\w+=/.test(key),
    );
    expect(byFunctions.filter((key) => !found.has(key))).toEqual([]);
  });

  it.each([
    ['6.1 Manifest', `days/day=${DAY}/merchant=${CODE}/r0001.json`],
    ['6.8 Change marker', `changes/noted_on=2026-11-21/0300-days-${DAY}.json`],
    ['6.2 Record of the last pull', `checked/day=${DAY}/merchant=${CODE}.json`],
    ['6.4 Ledger', `mail/day=${DAY}/merchant=${CODE}/r0001.json`],
    ['6.5 Rule states', `alerts/merchant=${CODE}/state.json`],
    ['6.6 What the watch told', `mail/ops/watch/day=${DAY}.json`],
    ['6.9 Statement', `statements/period=${WEEK}/merchant=${CODE}/r0001.json`],
    ['6.13 Closed statement', `statements/period=${WEEK}/merchant=${CODE}/closed.json`],
    ['6.11 What the watch told of statements', `mail/ops/watch/period=${DAY}.json`],
    ['6.14 Proof', 'proofs/2026-11-22.json'],
    ['6.10 Page of a group', `statements/period=${DAY}/group=everybody/r0001.json`],
  ])('has the documented members: %s', async (heading, key) => {
    const left = Object.keys(membersOf(JSON.parse(await world.text(key))));
    const example = membersOf(examplesIn(sectionOf(text, heading))[0]);
    expect(left.filter((member) => !(member in example))).toEqual([]);
  });

  it.each(['mail-stops', keys.LAST_TICK])('has the members that the page names: %s', async (prefix) => {
    const [key = ''] = world.keys(prefix);
    const entry = entries.find((each) => keysOf(each).some((one) => namesOf(key).includes(one)));
    const members = Object.keys(membersOf(JSON.parse(await world.text(key))));
    expect(members.filter((member) => !namesIn(entry ?? '').includes(member))).toEqual([]);
  });

  it('is answered with the documented members', () => {
    for (const [heading, answer] of Object.entries(answers)) {
      const members = namesBelow(sectionOf(text, heading), 'The answer:');
      expect(members, heading).toEqual(expect.arrayContaining(Object.keys(answer)));
    }
  });
});
