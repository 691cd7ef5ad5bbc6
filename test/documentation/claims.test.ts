import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { faultsOf, ROOT } from '#support/documentation/claims.ts';
import { DOCUMENTS, textOf } from '#support/documentation/documents.ts';

/** A sentence with the suites that prove a section. That they exist, the check of links shows. */
const SUITES = /^Tested in \[[^\]]+\]\((?:\.\.\/)?test\//m;

describe.each(DOCUMENTS)('%s', (document) => {
  it('names only files, errors, settings, scripts and links that exist', () => {
    expect(faultsOf(textOf(document), join(ROOT, document))).toEqual([]);
  });
});

it.each(DOCUMENTS.filter((document) => /^docs\/(adr\/README|[\w-]+)\.md$/.test(document)))(
  '%s says in its first line who its readers are',
  (document) => {
    const [first = ''] = textOf(document)
      .split('\n')
      .filter((line) => line !== '' && !line.startsWith('# ') && !line.startsWith('<!--'));
    expect(first).toMatch(/^For [a-z]+.*\.$/);
  },
);

it.each(DOCUMENTS.filter((document) => /^(docs\/[\w-]+|SECURITY)\.md$/.test(document)))(
  '%s is linked by the README',
  (document) => {
    expect(textOf('README.md')).toContain(`](${document})`);
  },
);

it('every promise in docs/reliability.md says why it holds and names the suites that prove it', () => {
  const [, promises = ''] = /^## What is promised\n(.*?)^## /ms.exec(textOf('docs/reliability.md')) ?? [];
  const sections = promises.split(/^### /m).slice(1);
  expect(sections.length).toBeGreaterThan(10);
  for (const section of sections) {
    expect(section).toMatch(/^\*\*Because\*\* /m);
    expect(section).toMatch(SUITES);
  }
});

it('every threat in SECURITY.md names the suites that show the protection', () => {
  const [, threats = ''] = /^## Who could want what\n(.*?)^## /ms.exec(textOf('SECURITY.md')) ?? [];
  const sections = threats.split(/^### /m).slice(1);
  expect(sections.length).toBeGreaterThan(6);
  for (const section of sections) {
    expect(section).toMatch(SUITES);
    expect(section).toMatch(/^\*\*What remains\.\*\* /m);
  }
});

describe('the check itself', () => {
  const document = join(ROOT, 'docs/made-up.md');
  it('finds a file, link, heading, error, setting or script that does not exist', () => {
    const text = [
      '[test/none.test.ts](../test/none.test.ts), [test/crash](../test/crash)',
      '[a page](nowhere.md), [a part](../README.md#no-such-part), [another](../README.md#try-it)',
      '`lib/none.ts`, `lib/functions.ts`, `NoSuchError`, `ContractError`',
      '`../lib/none.ts`, `../lib/functions.ts`, `no-such-file.ts`, `create-plan.ts`, `vitest.config.ts`',
      '`NO_SUCH_SETTING`, `DATA_BUCKET`, `npm run no-such-script`, `npm run build`',
    ].join('\n');
    expect(faultsOf(text, document)).toEqual([
      'the link ../test/none.test.ts is dead',
      'the link nowhere.md is dead',
      'README.md has no heading #no-such-part',
      'lib/none.ts is not there',
      '../lib/none.ts is not there',
      'no-such-file.ts is not there',
      'there is no NoSuchError',
      'nothing reads NO_SUCH_SETTING',
      'there is no script no-such-script',
    ]);
  });
});
