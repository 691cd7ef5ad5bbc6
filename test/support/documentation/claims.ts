import { existsSync, globSync, readFileSync } from 'node:fs';
import { basename, dirname, join, relative, resolve } from 'node:path';
import * as z from 'zod';
import { variableNames } from '#registry/environment.ts';

export const ROOT = resolve(import.meta.dirname, '../../..');

const LINK = /\]\(([^()\s]*)\)/g;
const PATH_IN_CODE = /`((?:functions|lib|test|docs|sandbox|scripts|events|bin|bench)\/[\w./-]+\.\w+)`/g;
const RELATIVE_PATH_IN_CODE = /`((?:\.\.?\/)+[\w./-]+\.(?:ts|mjs|json|md))`/g;
const FILE_IN_CODE = /`([\w.-]+\.(?:ts|mjs|mjml))`/g;
const ERROR_IN_CODE = /`([A-Z]\w*Error)`/g;
const SETTING_IN_CODE = /`([A-Z][A-Z0-9]*(?:_[A-Z0-9]+)+)(?:=[^`]*)?`/g;
const SCRIPT = /\bnpm run (?:-s )?([a-z][a-z:-]*)/g;
/** Variables that Node reads itself, and names that EventBridge adds to an undelivered event. */
const OTHERS_SETTINGS = ['NODE_EXTRA_CA_CERTS', 'NODE_OPTIONS', 'ERROR_CODE', 'ERROR_MESSAGE'];
/** Where people look for code; what is installed or built is not theirs. */
const SOURCES = '{bench,bin,functions,lib,sandbox,scripts,soak,test}/**/*.{ts,mjs,mjml}';

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

let allSources: ReadonlyMap<string, string> | undefined;

function sources(): ReadonlyMap<string, string> {
  return (allSources ??= new Map(
    globSync(SOURCES, { cwd: ROOT }).map((file) => [file, readFileSync(join(ROOT, file), 'utf8')]),
  ));
}

/** Whether any source file has the text; the tests of this check name things that are not there. */
function isInSources(text: string, under = ''): boolean {
  return [...sources()].some(
    ([file, source]) =>
      file.startsWith(under) && !file.startsWith('test/documentation/') && source.includes(text),
  );
}

function found(text: string, pattern: RegExp): string[] {
  return [...new Set([...text.matchAll(pattern)].map(([, name = '']) => name))];
}

function strangePaths(text: string, document: string): string[] {
  const names = new Set([...sources().keys()].map((file) => basename(file)));
  return [
    ...found(text, PATH_IN_CODE).filter((path) => !existsSync(join(ROOT, path))),
    ...found(text, RELATIVE_PATH_IN_CODE).filter((path) => !existsSync(join(dirname(document), path))),
    ...found(text, FILE_IN_CODE).filter((name) => !names.has(name) && !existsSync(join(ROOT, name))),
  ].map((path) => `${path} is not there`);
}

const packageSchema = z.object({ scripts: z.record(z.string(), z.string()) });

function strangeNames(text: string): string[] {
  const { scripts } = packageSchema.parse(JSON.parse(readFileSync(join(ROOT, 'package.json'), 'utf8')));
  return [
    ...found(text, ERROR_IN_CODE)
      .filter((name) => !isInSources(`readonly name = '${name}'`, 'functions/'))
      .map((name) => `there is no ${name}`),
    ...found(text, SETTING_IN_CODE)
      .filter((name) => ![...OTHERS_SETTINGS, ...variableNames()].includes(name) && !isInSources(name))
      .map((name) => `nothing reads ${name}`),
    ...found(text, SCRIPT)
      .filter((name) => !(name in scripts))
      .map((name) => `there is no script ${name}`),
  ];
}

/** What it names that is not there: links, files, errors, settings, scripts. Relative links begin at `document`. */
export function faultsOf(text: string, document: string): string[] {
  return [...deadLinks(text, document), ...strangePaths(text, document), ...strangeNames(text)];
}
