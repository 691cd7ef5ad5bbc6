import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { ROOT } from './claims.ts';

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
export function citationFaults(source: string): string[] {
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
