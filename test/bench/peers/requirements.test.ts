import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';

const REQUIREMENTS = join(import.meta.dirname, '../../../bench/peers/requirements.txt');

it('names every package of the peers with one version', () => {
  const lines = readFileSync(REQUIREMENTS, 'utf8').split('\n');
  const packages = lines.filter((line) => line !== '' && !line.startsWith('#'));
  expect(packages.filter((line) => !/^[\w.-]+==[\w.]+$/.test(line))).toEqual([]);
  for (const peer of ['dlt', 'airbyte-cdk', 'singer-sdk', 'aiohttp', 'uvloop', 'orjson', 'cryptography']) {
    expect(packages.filter((line) => line.startsWith(`${peer}==`))).toHaveLength(1);
  }
});
