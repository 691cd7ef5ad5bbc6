import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { ROOT } from './claims.ts';

/** Papers that are not in the repository, and the ways in which comments used to name them. */
const ELSEWHERE = [
  /(?<![\w/])interface\.md/,
  /\bdesign\.md/,
  /\bpublic[- ]facts\b/i,
  /(?<![\w/[(-])interfaces\.md/,
  /\((?:the )?contract[:,] (?:section )?[A-Z\d]/i,
  /\.\.\/shared\/(?:contract|vectors|hooks|interfaces\.|design\.|style\.)/,
];

const CITATION = /docs\/([\w-]+\.md)(?:, (\d[\d.]* [^\n]{0,60}))?/g;

/** Comments without the signs at the beginning of their lines, so that a citation may go on in the next one. */
function unwrapped(source: string): string {
  return source.replace(/\n\s*(?:\*|\/\/)?\s*/g, ' ');
}

function headingsOf(document: string): string[] {
  const text = readFileSync(join(ROOT, 'docs', document), 'utf8');
  return [...text.matchAll(/^#+ (.*)$/gm)].map(([, heading = '']) => heading);
}

/** What a source file cites that is not there: papers outside of the repository, documents, sections. */
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
