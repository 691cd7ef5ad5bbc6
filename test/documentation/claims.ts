import { existsSync, globSync, readFileSync } from 'node:fs';
import { dirname, join, relative, resolve } from 'node:path';
import { testTitles } from './test-titles.ts';

export const ROOT = resolve(import.meta.dirname, '../..');

/** A test that a document names: `group › test`, or the test alone. */
export interface Citation {
  file: string;
  name: string;
}

const CITING_ITEM = /^- \[(test\/[^\]]+\.test\.ts)\]\([^)]*\):([^\n]*(?:\n {2,}[^\n]*)*)/gm;
const LINK = /\]\(([^()\s]*)\)/g;
const PATH_IN_CODE = /`((?:functions|lib|test|docs|sandbox|scripts|events|bin|bench)\/[\w./-]+\.\w+)`/g;
const ERROR_IN_CODE = /`([A-Z]\w*Error)`/g;

/** The tests that stand in lists of the form `- [file](link): name, name`, each name in backticks. */
export function citationsIn(text: string): Citation[] {
  return [...text.matchAll(CITING_ITEM)].flatMap(([, file = '', names = '']) =>
    [...names.matchAll(/`([^`]+)`/g)].map(([, name = '']) => ({
      file,
      name: name.replace(/\s*\n\s*/g, ' '),
    })),
  );
}

/** How a heading is linked: in lower case, without signs, with a hyphen for each blank. */
function anchorOf(heading: string): string {
  return heading
    .toLowerCase()
    .replace(/[^\p{L}\p{N}\s_-]/gu, '')
    .replaceAll(' ', '-');
}

function anchorsOf(markdown: string): string[] {
  return [...markdown.matchAll(/^#+ (.*)$/gm)].map(([, heading = '']) => anchorOf(heading));
}

function wrongCitations(text: string): string[] {
  return citationsIn(text).flatMap(({ file, name }) => {
    const path = join(ROOT, file);
    if (!existsSync(path)) return [`${file} is not there`];
    const wanted = name.split(' › ');
    const isThere = testTitles(readFileSync(path, 'utf8')).some(
      (titles) => titles.slice(-wanted.length).join('\n') === wanted.join('\n'),
    );
    return isThere ? [] : [`${file} has no test "${name}"`];
  });
}

function deadLinks(text: string, document: string): string[] {
  return [...text.matchAll(LINK)].flatMap(([, link = '']) => {
    if (/^[a-z]+:/.test(link)) return [];
    const [path = '', anchor] = link.split('#');
    const target = path === '' ? document : join(dirname(document), path);
    if (!existsSync(target)) return [`the link ${link} is dead`];
    if (anchor === undefined || anchorsOf(readFileSync(target, 'utf8')).includes(anchor)) return [];
    return [`${relative(ROOT, target)} has no heading #${anchor}`];
  });
}

function strangeNames(text: string): string[] {
  const paths = [...text.matchAll(PATH_IN_CODE)].map(([, path = '']) => path);
  const sources = globSync('functions/**/*.ts', { cwd: ROOT }).map((file) =>
    readFileSync(join(ROOT, file), 'utf8'),
  );
  const errors = new Set([...text.matchAll(ERROR_IN_CODE)].map(([, name = '']) => name));
  return [
    ...paths.filter((path) => !existsSync(join(ROOT, path))).map((path) => `${path} is not there`),
    ...[...errors]
      .filter((name) => !sources.some((source) => source.includes(`readonly name = '${name}'`)))
      .map((name) => `there is no ${name}`),
  ];
}

/**
 * What a document names that is not there: tests, links, files, errors.
 *
 * @param document where the text stands or would stand; relative links begin there
 */
export function faultsOf(text: string, document: string): string[] {
  return [...wrongCitations(text), ...deadLinks(text, document), ...strangeNames(text)];
}
