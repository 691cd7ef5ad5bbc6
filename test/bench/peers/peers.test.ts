import { figuresIn, mediansOf, multiplesOf } from '#bench/peers/peers.ts';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';

describe('the figures of an output', () => {
  it.each([
    { of: 'no output', texts: [], figures: { invoices: 0, total: '0.000' } },
    {
      of: 'JSON lines',
      texts: ['{"id":1,"amount":"0.100"}\n{"id":2,"amount":"0.200"}\n', '{"id":3,"amount":"-0.050"}\n'],
      figures: { invoices: 3, total: '0.250' },
    },
    {
      of: 'messages of Singer and of Airbyte',
      texts: [
        '{"type":"SCHEMA","stream":"invoices"}\n{"type":"RECORD","stream":"invoices","record":{"id":1,"amount":"1.000"}}',
        '{"type":"LOG","log":{"message":"…"}}\n{"type":"RECORD","record":{"stream":"invoices","data":{"id":2,"amount":"2.005"}}}',
      ],
      figures: { invoices: 2, total: '3.005' },
    },
  ])('are the exact count and sum of $of', ({ texts, figures }) => {
    expect(figuresIn(texts)).toEqual(figures);
  });

  it('are refused when an invoice has no amount', () => {
    expect(() => figuresIn(['{"id":1}'])).toThrow('not a decimal string');
  });
});

const taken = (wall: number, cpu: number, peak: number) => ({ wall, cpu, peak });
const rounds = [
  { Daybook: taken(1_000, 500, 100), other: taken(2_000, 250, 100) },
  // All was slower in this round, and the ratios are the same.
  { Daybook: taken(4_000, 2_000, 110), other: taken(8_000, 1_000, 110) },
  { Daybook: taken(1_100, 400, 120), other: taken(1_100, 4_000, 60) },
];

describe('the figures of the rounds', () => {
  it('are medians, for others of the ratios within a round', () => {
    expect(multiplesOf(rounds, 'other', 'Daybook')).toEqual({ wall: 2, cpu: 0.5, peak: 1 });
    expect(mediansOf(rounds, 'Daybook')).toEqual(taken(1_100, 500, 110));
  });

  it('are refused when a round lacks a program', () => {
    expect(() => multiplesOf([{ Daybook: taken(1, 1, 1) }], 'other', 'Daybook')).toThrow('lacks other');
    expect(() => mediansOf([{}], 'Daybook')).toThrow('a round lacks Daybook');
  });
});

const REQUIREMENTS = join(import.meta.dirname, '../../../bench/peers/requirements.txt');

it('names every package of the peers with one version', () => {
  const lines = readFileSync(REQUIREMENTS, 'utf8').split('\n');
  const packages = lines.filter((line) => line !== '' && !line.startsWith('#'));
  expect(packages.filter((line) => !/^[\w.-]+==[\w.]+$/.test(line))).toEqual([]);
  for (const peer of ['dlt', 'airbyte-cdk', 'singer-sdk', 'aiohttp', 'uvloop', 'orjson', 'cryptography']) {
    expect(packages.filter((line) => line.startsWith(`${peer}==`))).toHaveLength(1);
  }
});
