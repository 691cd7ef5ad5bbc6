import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { citationsIn, faultsOf, ROOT } from './claims.ts';
import { testTitles } from './test-titles.ts';

const DOCUMENTS = ['docs/reliability.md', 'SECURITY.md'];
const textOf = (document: string) => readFileSync(join(ROOT, document), 'utf8');

describe.each(DOCUMENTS)('%s', (document) => {
  const text = textOf(document);

  it('names tests, files, errors and links that are there', () => {
    expect(faultsOf(text, join(ROOT, document))).toEqual([]);
  });

  it('has the README point to it', () => {
    expect(textOf('README.md').includes(`](${document})`)).toBe(true);
  });
});

it('every promise has a test', () => {
  const [, promises = ''] = /^## What is promised\n(.*?)^## /ms.exec(textOf('docs/reliability.md')) ?? [];
  const sections = promises.split(/^### /m).slice(1);
  expect(sections.length).toBeGreaterThan(10);
  for (const section of sections) expect(citationsIn(section), section.split('\n')[0]).not.toEqual([]);
});

it('every threat that something stands against has a test', () => {
  const [, threats = ''] = /^## Who could want what\n(.*?)^## /ms.exec(textOf('SECURITY.md')) ?? [];
  const sections = threats.split(/^### /m).slice(1);
  expect(sections.length).toBeGreaterThan(6);
  for (const section of sections) {
    expect(citationsIn(section), section.split('\n')[0]).not.toEqual([]);
    expect(section).toMatch(/^\*\*What remains\.\*\* /m);
  }
});

describe('the check itself', () => {
  const document = join(ROOT, 'docs/made-up.md');
  const SOURCE = `
    describe('a group', () => {
      it('runs', () => {});
      it.concurrent.each<[string]>([['one']])('of %s', () => {});
      it.skip('is left out', () => {});
      describe(\`on \${target}\`, () => test('inside', () => {}));
    });
    describe.skip('all of it', () => { it('sleeps', () => {}); });
    // it('was here once', () => {});
  `;

  it('finds the tests of a file that run, whatever they are called by', () => {
    expect(testTitles(SOURCE)).toEqual([
      ['a group', 'runs'],
      ['a group', 'of %s'],
      ['a group', 'on ${target}', 'inside'],
    ]);
  });

  it('sees a test, a file, a link, a heading and an error that are not there', () => {
    const own = 'test/documentation/claims.test.ts';
    const text = [
      `- [${own}](../${own}): \`every promise has a test\`, \`no such test\`,`,
      '  `the check itself › every promise has a test`, `the check itself`',
      '- [test/none.test.ts](../test/none.test.ts): `anything`',
      '[a page](nowhere.md), [a part](../README.md#no-such-part), [another](../README.md#commands)',
      '`lib/none.ts`, `lib/functions.ts`, `NoSuchError`, `ContractError`',
    ].join('\n');
    expect(faultsOf(text, document)).toEqual([
      `${own} has no test "no such test"`,
      `${own} has no test "the check itself › every promise has a test"`,
      `${own} has no test "the check itself"`,
      'test/none.test.ts is not there',
      'the link ../test/none.test.ts is dead',
      'the link nowhere.md is dead',
      'README.md has no heading #no-such-part',
      'lib/none.ts is not there',
      'there is no NoSuchError',
    ]);
  });
});
