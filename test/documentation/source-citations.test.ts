import { existsSync, readFileSync, globSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { ROOT } from '#support/documentation/claims.ts';

/** Documents outside of the repository, in the forms in which comments used to cite them. */
const ELSEWHERE = [
  /(?<![\w/])interface\.md/,
  /\bdesign\.md/,
  /\bpublic[- ]facts\b/i,
  /(?<![\w/[(-])interfaces\.md/,
  /\((?:the )?contract[:,] (?:section )?[A-Z\d]/i,
  /\.\.\/shared\/(?:contract|vectors|hooks|interfaces\.|design\.|style\.)/,
];

const CITATION = /docs\/([\w-]+\.md)(?:, (\d[\d.]* [^\n]{0,60}))?/g;

/** Comments without the signs at the start of their lines, so a citation can continue on the next line. */
function unwrapped(source: string): string {
  return source.replace(/\n\s*(?:\*|\/\/)?\s*/g, ' ');
}

function headingsOf(document: string): string[] {
  const text = readFileSync(join(ROOT, 'docs', document), 'utf8');
  return [...text.matchAll(/^#+ (.*)$/gm)].map(([, heading = '']) => heading);
}

/**
 * The citations of a source file that are wrong: documents outside of the repository, missing documents and missing
 * sections.
 */
function citationFaults(source: string): string[] {
  const text = unwrapped(source);
  const strange = ELSEWHERE.flatMap((pattern) => {
    const found = pattern.exec(text)?.[0];
    return found === undefined ? [] : [`"${found}" is not in the repository`];
  });
  const missing = [...text.matchAll(CITATION)].flatMap(([, document = '', cited]) => {
    if (!existsSync(join(ROOT, 'docs', document))) return [`docs/${document} is not there`];
    if (cited === undefined || headingsOf(document).some((heading) => cited.startsWith(heading))) return [];
    return [`docs/${document} has no section "${cited}"`];
  });
  return [...strange, ...missing];
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
  const faults = SOURCES.flatMap((file) =>
    citationFaults(readFileSync(join(ROOT, file), 'utf8')).map((fault) => `${file}: ${fault}`),
  );
  expect(faults).toEqual([]);
});

it.each([
  ['/** Reads a refund (docs/contract.md, 4.2 Refund details). */', []],
  ['/** Reads a refund (docs/contract.md, 4.2\n * Refund details). */', []],
  ["import { a } from '../shared/domain/a.ts';", []],
  ['/** See docs/contract.md, 4.9 Nothing. */', ['docs/contract.md has no section "4.9 Nothing. */"']],
  ['/** See docs/nowhere.md. */', ['docs/nowhere.md is not there']],
  ['/** Reads a refund (contract: Endpoints, 2). */', ['"(contract: E" is not in the repository']],
  ['/** As `interfaces.md` says. */', ['"interfaces.md" is not in the repository']],
  ['// public facts, "Login"', ['"public facts" is not in the repository']],
  ["read('../shared/vectors/cipher.json')", ['"../shared/vectors" is not in the repository']],
])('the check of citations finds in %j: %j', (source, faults) => {
  expect(citationFaults(source)).toEqual(faults);
});
