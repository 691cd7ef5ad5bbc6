import { dataFileInKey, dataKey } from '#records/storage/keys.ts';
import { FORMATS, TABLES } from '#records/revision/manifest.ts';
import { orphansAmong } from '#watch/sweep/stored-objects.ts';
import { fc, forAll } from '#support/assertions/index.ts';

const BEFORE = Date.parse('2026-11-19T00:00:00Z');

const pull = fc
  .tuple(fc.integer({ min: 0, max: 23 }), fc.integer({ min: 0, max: 0xffff_ffff }))
  .map(
    ([hour, random]) =>
      `20261118T${String(hour).padStart(2, '0')}0000Z-${random.toString(16).padStart(8, '0')}`,
  );
const file = fc
  .record({
    table: fc.constantFrom(...TABLES),
    format: fc.constantFrom(...FORMATS),
    day: fc.constantFrom('2026-11-17', '2026-02-28', '2024-02-29'),
    merchantCode: fc.stringMatching(/^[A-Za-z0-9-]{1,12}$/),
    pull,
  })
  .map(({ table, format, day, merchantCode, pull: id }) => dataKey(table, format, day, merchantCode, id));

/** Keys that are similar to the key of a data file. */
const nearly = fc.oneof(
  fc.string(),
  file.chain((key) =>
    fc.constantFrom(
      `${key}.bak`,
      `x${key}`,
      `/${key}`,
      key.toUpperCase(),
      key.replace('.gz', ''),
      key.replace('csv', 'json').replace('jsonl', 'csv'),
      key.replace(/day=\d{4}/, 'day=2026-11-31&'),
      key.replace(/day=[\d-]+/, 'day=2026-02-30'),
      key.replace(/merchant=[^/]+/, 'merchant='),
      key.replace(/merchant=([^/]+)/, 'merchant=$1/merchant=$1'),
      key.replace('/day=', '//day='),
      key.replace(/^(invoices|refunds)/, 'days'),
      key.replace(/^(invoices|refunds)/, 'mail'),
      key.replace('invoices', 'invoice').replace('refunds', 'refund'),
      `${key}\n`,
    ),
  ),
);

it('files without a manifest are exactly the old keys of data that no manifest names', () => {
  const time = fc.integer({ min: BEFORE - 10_000_000, max: BEFORE + 10_000_000 });
  const object = fc.record({ key: fc.oneof(file, nearly), lastModified: time, isNamed: fc.boolean() });
  forAll([fc.array(object, { maxLength: 30 })], { numRuns: 500 }, (objects) => {
    const named = new Set(objects.filter(({ isNamed }) => isNamed).map(({ key }) => key));
    const removed = new Set(orphansAmong(objects, named, BEFORE));
    const old = objects.filter(({ lastModified }) => lastModified < BEFORE).map(({ key }) => key);
    const unnamed = old.filter((key) => dataFileInKey(key) !== undefined && !named.has(key));
    expect(removed).toEqual(new Set(unnamed));
    // A key that is accepted as that of a data file has exactly its form.
    for (const { key } of objects) {
      const read = dataFileInKey(key);
      if (read !== undefined)
        expect(dataKey(read.table, read.format, read.day, read.merchantCode, read.pull)).toBe(key);
    }
  });
});
