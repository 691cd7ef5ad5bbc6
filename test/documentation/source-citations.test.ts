import { existsSync, globSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { ROOT } from '#support/documentation/claims.ts';
import { textOf } from '#support/documentation/documents.ts';

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

/** These files name missing documents, to test that the check finds them. */
const MADE_UP = /^test\/documentation\/(source-citations|claims\.test)/;

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
