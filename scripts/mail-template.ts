import { readFile, readdir, writeFile } from 'node:fs/promises';
import { join, relative } from 'node:path';
import mjml2html from 'mjml';
import * as prettier from 'prettier';
import * as z from 'zod';
import { readOptions } from './command-line.ts';

/*
 * Makes code from the files that people edit: the template mail.mjml, once for each direction of writing, and the list of
 * the languages with texts.
 */

const ROOT = join(import.meta.dirname, '..');
const MAIL = join(ROOT, 'functions/mail');
const TEMPLATE = join(MAIL, 'template/mail.mjml');
const TEXTS = join(MAIL, 'texts');
const LANGUAGES = join(ROOT, 'functions/registry/languages.ts');

const SIDES = {
  ltr: { start: 'left', end: 'right' },
  rtl: { start: 'right', end: 'left' },
} as const;

/** The template does not compile, or a file of texts is wrong. The message says which and why. */
export class MailSourceError extends Error {
  override readonly name = 'MailSourceError';
}

const text = z.union([z.string().min(1), z.record(z.string(), z.string().min(1))]);
const catalogueSchema = z.strictObject({
  language: z.string().min(1),
  locale: z.string().min(2),
  direction: z.enum(['ltr', 'rtl']),
  texts: z.record(z.string(), text),
});

async function html(source: string, direction: keyof typeof SIDES): Promise<string> {
  const { start, end } = SIDES[direction];
  const turned = source
    .replaceAll('@direction', direction)
    .replaceAll('@start', start)
    .replaceAll('@end', end);
  const { html: compiled, errors } = await mjml2html(turned, {
    validationLevel: 'soft',
    keepComments: false,
  });
  const [error] = errors;
  if (error !== undefined) throw new MailSourceError(`mail.mjml, line ${error.line}: ${error.message}`);
  // The indentation would be sent with every mail.
  return `${compiled.replace(/^\s+/gm, '').trim()}\n`;
}

function asModule(comment: string, code: string): Promise<string> {
  return prettier.format(`// Made by \`npm run mail:compile\`, ${comment}\n${code}\n`, {
    parser: 'typescript',
    singleQuote: true,
    printWidth: 110,
  });
}

async function templateModule(): Promise<string> {
  const source = await readFile(TEMPLATE, 'utf8');
  const templates = { ltr: await html(source, 'ltr'), rtl: await html(source, 'rtl') };
  return asModule(
    'of mail.mjml.',
    `/** The template of every mail for mustache, by the direction of writing. */
     export const MAIL_TEMPLATE = ${JSON.stringify(templates)};`,
  );
}

async function textFiles(): Promise<string[]> {
  return (await readdir(TEXTS)).filter((name) => name.endsWith('.json')).sort();
}

/** Only the names, for code that does not write mails, because the texts are large. */
async function languagesModule(): Promise<string> {
  const names = (await textFiles()).map((file) => `'${file.replace('.json', '')}'`);
  return asModule(
    'of the texts of mails, functions/mail/texts.',
    `/** The languages that mails are written in: one file of texts for each. */
     export const LANGUAGES = [${names.join(', ')}] as const;
     export type Language = (typeof LANGUAGES)[number];`,
  );
}

async function catalogueModule(): Promise<string> {
  const files = await textFiles();
  for (const file of files) {
    const parsed = catalogueSchema.safeParse(JSON.parse(await readFile(join(TEXTS, file), 'utf8')));
    if (parsed.success) continue;
    const [issue] = parsed.error.issues;
    throw new MailSourceError(`${file}: ${issue?.path.join('.') ?? ''}: ${issue?.message ?? ''}`);
  }
  const names = files.map((file) => file.replace('.json', ''));
  const imports = names.map((name) => `import ${name} from './${name}.json' with { type: 'json' };`);
  return asModule(
    'of the files in this folder.',
    `${imports.join('\n')}\n\nexport const CATALOGUE = { ${names.join(', ')} };`,
  );
}

/** Compiles the sources of the mails. The result is by file. @throws {MailSourceError} when a source is wrong */
export async function compileMails(): Promise<Map<string, string>> {
  return new Map([
    [join(MAIL, 'template/mail-template.ts'), await templateModule()],
    [join(TEXTS, 'catalogue.ts'), await catalogueModule()],
    [LANGUAGES, await languagesModule()],
  ]);
}

/** Writes the files that changed. @returns the files that were written */
export async function writeMails(): Promise<string[]> {
  const written: string[] = [];
  for (const [file, code] of await compileMails()) {
    if ((await readFile(file, 'utf8').catch(() => '')) === code) continue;
    await writeFile(file, code);
    written.push(file);
  }
  return written;
}

if (import.meta.main) {
  readOptions(
    'npm run mail:compile\n\nMakes code from the template and the texts of the mails. It has no options.',
    {},
  );
  try {
    const written = await writeMails();
    for (const file of written) console.log(`wrote ${relative(ROOT, file)}`);
    if (written.length === 0) console.log('nothing to write: the mails are already compiled');
  } catch (error) {
    if (!(error instanceof MailSourceError)) throw error;
    console.error(`mail:compile: ${error.message}`);
    process.exitCode = 1;
  }
}
