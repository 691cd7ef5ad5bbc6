import { execFile } from 'node:child_process';
import { globSync } from 'node:fs';
import { cp, mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { basename, dirname, join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { promisify } from 'node:util';
import PostalMime from 'postal-mime';
import { OPTIONAL_FUNCTIONS } from '#lib/functions.ts';
import { cachedBuild } from '#scripts/cached-build.ts';
import { CODE, DAY, DaybookWorld } from '#support/world/daybook-world.ts';
import { defined, textWith } from '#support/assertions/index.ts';
import { sourcesOf } from '#support/bundles/sources-of.ts';
import * as z from 'zod';

const ROOT = join(import.meta.dirname, '..');
const run = promisify(execFile);

/** A directory outside the repository. */
let outside: string;
/** The file of each bundle, by the function's name. */
let bundles: Record<string, string>;
/** Every module of a bundle: the entry first, then its chunks. */
let modules: Record<string, string[]>;
beforeAll(async () => {
  outside = await mkdtemp(join(tmpdir(), 'daybook-bundle-'));
  const { files } = await cachedBuild();
  bundles = Object.fromEntries(files);
  modules = Object.fromEntries(
    [...files].map(([name, file]) => {
      const folder = dirname(file);
      const chunks = globSync('*.mjs', { cwd: folder }).filter((chunk) => chunk !== basename(file));
      return [name, [file, ...chunks.map((chunk) => join(folder, chunk))]];
    }),
  );
});
afterAll(() => rm(outside, { recursive: true }));

/** The entry and what it imports before anything runs. */
async function atStart(entry: string): Promise<Set<string>> {
  const files = new Set([entry]);
  for (const file of files) {
    const code = await readFile(file, 'utf8');
    for (const [, path = ''] of code.matchAll(/(?:from|import)"(\.\/[^"]+\.mjs)"/g)) {
      files.add(join(file, '..', path));
    }
  }
  return files;
}

/** Of all modules of all bundles. */
function everyModule(): string[] {
  return Object.values(modules).flat();
}

describe('a bundle', () => {
  it('exists for every function that has an entry', () => {
    const entries = globSync('functions/**/*.lambda.ts', { cwd: ROOT });
    expect(Object.keys(bundles).sort()).toEqual(entries.map((entry) => basename(dirname(entry))).sort());
    expect(Object.keys(bundles)).toEqual(expect.arrayContaining(['plan', 'daily-report']));
  });

  it('holds nothing of the sandboxes, the tests and the scripts', async () => {
    const sources = await Promise.all(everyModule().map(sourcesOf));
    expect(sources.flat().length).toBeGreaterThan(1_000);
    for (const file of everyModule()) {
      const sources = await sourcesOf(file);
      const folders = ['sandbox', 'test', 'scripts', 'bench', 'bin'].map((folder) => join(ROOT, folder));
      expect(sources.filter((source) => folders.some((folder) => source.startsWith(`${folder}/`)))).toEqual(
        [],
      );
      expect(await readFile(file, 'utf8')).not.toMatch(/sandboxMerchant|node:sqlite|merchant-7000/);
    }
  });

  it('loads the writer of workbooks only when a workbook is attached', async () => {
    const holders: string[] = [];
    const all = defined(modules['daily-report']);
    for (const file of all) {
      const sources = await sourcesOf(file);
      if (sources.some((source) => /node_modules\/(write-excel-file|fflate)\//.test(source)))
        holders.push(file);
    }
    expect(holders).toHaveLength(1);
    // What imports it before it runs is itself imported only when it is needed.
    const codes = await Promise.all(
      all.map(async (file) => [basename(file), await readFile(file, 'utf8')] as const),
    );
    const waiting = holders.map((file) => basename(file));
    for (const name of waiting) {
      expect(name).not.toMatch(/^(index|composers|day-page)/);
      const importers = codes.filter(([, code]) => new RegExp(`(from|import)"./${name}"`).test(code));
      waiting.push(
        ...importers.map(([importer]) => importer).filter((importer) => !waiting.includes(importer)),
      );
    }
  });

  it.each([
    ['the writer of workbooks', /node_modules\/(write-excel-file|fflate)\//],
    [
      'the writer of mails',
      /node_modules\/nodemailer\/|functions\/(mail\/template\/mail-view|[\w/]+\/rendering\/[\w/]*render-|mail\/texts\/(ar|en)\.json)/,
    ],
    ['the clients of secrets, mail and topic', /node_modules\/@aws-sdk\/client-(secrets-manager|ses|sns)\//],
    ['the upload in parts', /node_modules\/@aws-sdk\/lib-storage\//],
    ['the list of public mail domains', /functions\/mail\/mail-preview\.ts$/],
    ['the client of the payment service', /functions\/service\/(client|sending\/transport)\.ts$/],
  ])('leaves %s out of every cold start', async (_, pattern) => {
    let later = 0;
    for (const [name, [entry = '', ...chunks]] of Object.entries(modules)) {
      const start = await atStart(entry);
      for (const file of [entry, ...chunks]) {
        const found = (await sourcesOf(file)).filter((source) => pattern.test(source));
        // Every request for a link has words and a key, whatever comes of it.
        if (start.has(file) && Object.hasOwn(OPTIONAL_FUNCTIONS, name)) continue;
        if (start.has(file)) expect(found, `${name}: ${basename(file)}`).toEqual([]);
        later += found.length;
      }
    }
    expect(later).toBeGreaterThan(0);
  });

  it("initialises nothing when it is imported, and does not look at Daybook's environment", async () => {
    for (const file of Object.values(bundles)) {
      const program = `
        const read = new Set();
        const variables = process.env;
        process.env = new Proxy(variables, {
          get: (target, name) => (read.add(String(name)), target[name]),
          has: (target, name) => (read.add(String(name)), name in target),
        });
        // Node makes the standard streams at first use.
        for (const own of ['stdin', 'stdout', 'stderr']) void process[own];
        const before = process.getActiveResourcesInfo();
        const listeners = process.eventNames().length;
        const { handler } = await import(${JSON.stringify(pathToFileURL(file).href)});
        process.stdout.write(JSON.stringify({
          handler: typeof handler,
          resources: process.getActiveResourcesInfo().filter((name) => !before.includes(name)),
          listeners: process.eventNames().length - listeners,
          read: [...read],
        }));`;
      const { stdout } = await run(process.execPath, ['--input-type=module', '--eval', program], {
        cwd: outside,
        env: {},
      });
      const seen = z.looseObject({ read: z.array(z.string()) }).parse(JSON.parse(stdout));
      expect(seen).toMatchObject({ handler: 'function', resources: [], listeners: 0 });
      // The libraries read which runtime they are in. Only a client or a setting of ours would read one of these.
      expect(
        seen.read.filter((name) =>
          /REGION|ENDPOINT|ACCESS_KEY|PROFILE|POWERTOOLS|BUCKET|SECRET|MAIL|OPS_/.test(name),
        ),
      ).toEqual([]);
    }
  });

  it('keeps the name of every error class as a literal after minifying', async () => {
    const declared = /^export class \w+Error extends \w+ \{\n {2}override readonly name = '(\w+)';/gm;
    const names = new Set<string>();
    let code = '';
    for (const file of everyModule()) {
      code += await readFile(file, 'utf8');
      for (const source of await sourcesOf(file)) {
        if (!source.startsWith(join(ROOT, 'functions/'))) continue;
        for (const [, name = ''] of (await readFile(source, 'utf8')).matchAll(declared)) names.add(name);
      }
    }
    expect([...names]).toEqual(expect.arrayContaining(['UnknownMerchantError', 'LoginRefusedError']));
    // A bundle has no classes that its function does not throw, so this looks at all bundles together.
    expect([...names].filter((name) => !new RegExp(`["'\`]${name}["'\`]`).test(code))).toEqual([]);
  });

  it('can keep the names, because every error class in the sources has a literal name', async () => {
    for (const source of globSync('functions/**/*.ts', { cwd: ROOT })) {
      const text = await readFile(join(ROOT, source), 'utf8');
      for (const [declaration, className = ''] of text.matchAll(
        /^export class (\w+) extends (?:\w*Error) \{[^}]*?(?:name = '\w+'|\n})/gm,
      )) {
        expect(declaration, source).toContain(`override readonly name = '${className}'`);
      }
    }
  });
});

describe('the bundle of daily-report, run by node alone', () => {
  let world: DaybookWorld;
  beforeAll(async () => {
    world = await DaybookWorld.start({
      behaviour: { invoiceAnswers: 'encrypted' },
      defaults: { attachCsv: true, attachXlsx: true },
    });
  });
  afterAll(() => world.close());

  /** What the handler answers to the event, or the name and message of its error. */
  async function invoke(
    name: string,
    event: unknown,
    change: NodeJS.ProcessEnv = {},
    file = defined(bundles[name]),
  ): Promise<unknown> {
    const program = `
      const { handler } = await import(${JSON.stringify(pathToFileURL(file).href)});
      const answer = await handler(${JSON.stringify(event)}).catch(({ name, message }) => ({ name, message }));
      process.stdout.write('\\n' + JSON.stringify(answer));`;
    const { stdout } = await run(process.execPath, ['--input-type=module', '--eval', program], {
      cwd: outside,
      env: { ...functionEnvironment(), ...change },
      timeout: 25_000,
    });
    const answer: unknown = JSON.parse(stdout.split('\n').at(-1) ?? '');
    return answer;
  }

  /** The variables that a deployed function has, and no others. */
  function functionEnvironment(): NodeJS.ProcessEnv {
    const own = ['DATA_BUCKET', 'CREDENTIALS_SECRET', 'SERVICE_ORIGINS', 'MAIL_FROM', 'OPS_RECIPIENTS'];
    const variables = own.map((variable) => [variable, process.env[variable]] as const);
    return { ...world.aws.environment, ...Object.fromEntries(variables) };
  }

  it.each([
    ['composers', '2026-11-17', 'UnexpectedError', 'Error (ERR_MODULE_NOT_FOUND), see the stack'],
    ['ses-mail-sender', '2026-11-16', 'MailRefusedError', 'refused 1 of the mails (MailSenderNotLoaded)'],
  ])(
    'fails when the chunk %s is missing, and the next run sends the mail',
    async (chunk, day, name, message) => {
      const broken = join(outside, `without-${chunk}`);
      await cp(dirname(defined(bundles['daily-report'])), broken, { recursive: true });
      // Statements have a chunk of the same name.
      const missing = globSync(`${chunk}-*.mjs`, { cwd: broken });
      expect(missing).not.toEqual([]);
      for (const file of missing) await rm(join(broken, file));
      world.payments.data.seedDay(CODE, day, { invoices: 3, refunds: 0 });
      const before = world.mails('report').length;
      expect(
        await invoke('daily-report', { merchantCode: CODE, day }, {}, join(broken, 'index.mjs')),
      ).toEqual({
        name,
        message: textWith(message),
      });
      expect(world.mails('report')).toHaveLength(before);
      expect(await invoke('daily-report', { merchantCode: CODE, day })).toMatchObject({
        revision: 1,
        unchanged: true,
        mail: { status: 'sent' },
      });
      expect(world.mails('report')).toHaveLength(before + 1);
      const { attachments } = await PostalMime.parse(defined(world.mails('report').at(-1)).raw);
      expect(attachments.map(({ filename }) => filename)).toEqual([
        `invoices-${day}-r1-Al-Noor-Trading.csv`,
        `invoices-${day}-r1-Al-Noor-Trading.xlsx`,
      ]);
    },
  );

  it('names what is wrong in an event, and a variable that is missing', async () => {
    expect(await invoke('daily-report', { merchantCode: CODE, dya: DAY })).toEqual({
      name: 'InvalidEventError',
      message: textWith('the event is not usable: dya'),
    });
    expect(await invoke('daily-report', {}, { DATA_BUCKET: undefined })).toEqual({
      name: 'EnvironmentError',
      message: 'environment variable DATA_BUCKET is missing',
    });
  });

  it('works beside the bundle of plan, which plans the same merchants', async () => {
    expect(await invoke('plan', { kind: 'daily', day: DAY })).toMatchObject({
      itemCount: 1,
      items: [{ merchantCode: CODE, days: [DAY], send: true }],
    });
    expect(await invoke('plan', { kind: 'weekly' })).toMatchObject({ name: 'InvalidEventError' });
  });
});
