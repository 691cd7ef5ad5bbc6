import { existsSync, globSync } from 'node:fs';
import { basename, join } from 'node:path';
import { faultsOf, ROOT } from '#support/documentation/claims.ts';
import { DOCUMENTS, textOf } from '#support/documentation/documents.ts';
import { sectionOf } from '#support/documentation/markdown.ts';

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

it.each([
  ['promise', 'docs/reliability.md', 'What is promised', 10, /^\*\*Because\*\* /m],
  ['threat', 'SECURITY.md', 'Who could want what', 6, /^\*\*What remains\.\*\* /m],
])(
  'every %s in %s says why it holds or what remains, and names the suites',
  (_, file, heading, more, says) => {
    const sections = sectionOf(textOf(file), heading).split(/^### /m).slice(1);
    expect(sections.length).toBeGreaterThan(more);
    for (const section of sections) {
      expect(section).toMatch(says);
      expect(section).toMatch(SUITES);
    }
  },
);

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

const DECISIONS = DOCUMENTS.filter((path) => /^docs\/adr\/\d/.test(path));
/** Number, title, file, status and date of each. */
const OVERVIEW = [
  ...textOf('docs/adr/README.md').matchAll(/^- \[(\d+)\. (.+?)\]\(([\w.-]+)\), (.+), ([\d-]+)$/gm),
];

/** The decisions that a text links. */
function linkedIn(text: string): string[] {
  return [...text.matchAll(/\]\((\d{4}-[\w-]+\.md)\)/g)].map(([, link = '']) => link).sort();
}

describe.each(DECISIONS)('%s', (path) => {
  const [, title = '', status = '', date = ''] =
    /^# (\d+\. .*)\n\n- Status: (.*)\n- Date: (.*)\n\n/.exec(textOf(path)) ?? [];

  it('says its status and its date', () => {
    expect(status).toMatch(/^(accepted|superseded( in part)?: .*)$/);
    expect(date).toMatch(/^\d{4}-\d{2}-\d{2}$/);
    if (status !== 'accepted') expect(linkedIn(status)).not.toEqual([]);
  });

  it('is in the overview with its number, title, status and date', () => {
    const [number = '', name = ''] = title.split(/\. (.*)/s);
    expect(basename(path).startsWith(`${number.padStart(4, '0')}-`)).toBe(true);
    const line = OVERVIEW.find(([, first]) => first === number);
    expect(line?.slice(2, 4)).toEqual([name, basename(path)]);
    const [short = ''] = status.split(':');
    expect(line?.[4]?.startsWith(short)).toBe(true);
    expect(linkedIn(line?.[4] ?? '')).toEqual(linkedIn(status));
    expect(line?.[5]).toBe(date);
  });
});

it('the overview of decisions lists only decisions that exist', () => {
  expect(OVERVIEW).toHaveLength(DECISIONS.length);
});

/** Shorter sentences, such as "What is done is not done again.", may stand where a reader needs them. */
const SHORTEST = 10;

/** The sentences of a document in lower case: without code blocks, tables, headings and the targets of links. */
function sentencesOf(document: string): string[] {
  return textOf(document)
    .replaceAll(/^```.*?^```/gms, '')
    .replaceAll(/^(?:\||#).*$/gm, '\n')
    .replaceAll(/\]\([^)]*\)/g, ']')
    .split(/\n\s*\n|\n(?=\s*(?:-|\d\.) )|(?<=[.:?])\s+/)
    .map((sentence) => (sentence.toLowerCase().match(/[\p{L}\p{N}_]+/gu) ?? []).join(' '))
    .filter((sentence) => sentence.split(' ').length >= SHORTEST);
}

it('no sentence stands in two documents', () => {
  const places = new Map<string, Set<string>>();
  for (const document of DOCUMENTS) {
    for (const sentence of sentencesOf(document)) {
      places.set(sentence, (places.get(sentence) ?? new Set()).add(document));
    }
  }
  expect(places.size).toBeGreaterThan(1_000);
  const twice = [...places].filter(([, documents]) => documents.size > 1);
  expect(twice.map(([sentence, documents]) => `${[...documents].join(', ')}: ${sentence}`)).toEqual([]);
});

const CITATION = /docs\/([\w-]+\.md)(?:, (\d[\d.]* [^\n]{0,60}))?/g;

/** Comments without the signs at the start of their lines, so a citation can continue on the next line. */
function unwrapped(source: string): string {
  return source.replace(/\n\s*(?:\*|\/\/)?\s*/g, ' ');
}

function headingsOf(document: string): string[] {
  const text = textOf(`docs/${document}`);
  return [...text.matchAll(/^#+ (.*)$/gm)].map(([, heading = '']) => heading);
}

/** The citations of a source file that are wrong: missing documents and missing sections. */
function citationFaults(source: string): string[] {
  return [...unwrapped(source).matchAll(CITATION)].flatMap(([, document = '', cited]) => {
    if (!existsSync(join(ROOT, 'docs', document))) return [`docs/${document} is not there`];
    if (cited === undefined || headingsOf(document).some((heading) => cited.startsWith(heading))) return [];
    return [`docs/${document} has no section "${cited}"`];
  });
}

/** This file names missing documents, to test that the check finds them. */
const MADE_UP = /^test\/documentation\/documents\.test/;

const SOURCES = globSync(
  [
    '*.{ts,mjs,md,json}',
    '{bench,bin,docs,events,functions,lib,sandbox,scripts,soak,test}/**/*.{ts,mjs,md,json,mjml,txt}',
  ],
  { cwd: ROOT },
).filter((file) => !MADE_UP.test(file) && file !== 'package-lock.json');

it('every source file cites only documents and sections that exist in the repository', () => {
  expect(SOURCES.length).toBeGreaterThan(600);
  const faults = SOURCES.flatMap((file) => citationFaults(textOf(file)).map((fault) => `${file}: ${fault}`));
  expect(faults).toEqual([]);
});

it.each([
  ['/** Reads a refund (docs/contract.md, 4.2 Refund details). */', []],
  ['/** Reads a refund (docs/contract.md, 4.2\n * Refund details). */', []],
  ['/** See docs/contract.md, 4.9 Nothing. */', ['docs/contract.md has no section "4.9 Nothing. */"']],
  ['/** See docs/nowhere.md. */', ['docs/nowhere.md is not there']],
])('the check of citations finds in %j: %j', (source, faults) => {
  expect(citationFaults(source)).toEqual(faults);
});
