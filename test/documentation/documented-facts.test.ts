import { leafCommands, lineFault, noticedLines, writtenLines } from '#support/command/command-words.ts';
import { textOf } from '#support/documentation/documents.ts';
import * as z from 'zod';
import { amount, date, datetime, integer } from '#records/rows/contract-types.ts';
import { invoiceSchema, refundSchema } from '#records/rows/contract-records.ts';
import { rowNames, namesBelow, namesIn, rowsOf, sectionOf } from '#support/documentation/markdown.ts';
import { whatStays } from '#bin/daybook/forget/forget.ts';
import { dataLifecycle } from '#lib/data-stack.ts';
import { readSettings } from '#lib/settings.ts';
import { readFileSync, globSync } from 'node:fs';
import { join } from 'node:path';
import { createTable } from '#lake/sql/statements/tables.ts';
import { HISTORY_TABLES } from '#lake/sql/history-tables.ts';
import { ERROR_SECTIONS, HEADINGS, headingOfError } from '#mail/notices/runbook.ts';
import { merchantDay } from '#records/storage/keys.ts';
import { heldNotice } from '#page/send-page.ts';
import { renderOpsNotice } from '#mail/notices/render-ops-notice.ts';
import { pastedLine } from '#mail/notices/ops-command.ts';
import { ROOT } from '#support/documentation/claims.ts';
import { COMPARISONS } from '#records/balance/comparisons.ts';
import { BRANDING, brandingSchema } from '#registry/branding.ts';
import { MEASURES } from '#registry/alert-rules.ts';
import { groupSchema } from '#registry/groups.ts';
import { MERGED_SCHEMAS, merchantSchema } from '#registry/registry-schema.ts';
import { statementSettingsSchema } from '#registry/statement-settings.ts';
import { COMMAND_NAMES, ownRights, policyOf, type CommandRight } from '#lib/command-rights.ts';
import { FUNCTIONS, REGISTRY } from '#lib/functions.ts';

describe('every line with the operator’s command could be typed', () => {
  it.each([
    ['documents', writtenLines, 20],
    ['notices', noticedLines, 6],
  ] as const)('in the %s', (_where, linesOf, more) => {
    const lines = linesOf();
    const faults = lines.flatMap(({ place, words }) => {
      const fault = lineFault(words);
      return fault === undefined ? [] : [`${place}: daybook ${words.join(' ')}: ${fault}`];
    });
    expect(faults).toEqual([]);
    expect(lines.length).toBeGreaterThan(more);
  });

  it.each([
    [['nothing'], /^error: unknown command 'nothing'/],
    [['status', '--dya', '2026-11-20'], /^error: unknown option '--dya'/],
    [['status', 'too', 'many'], /^error: too many arguments for 'status'/],
  ])('and %j could not', (words, fault) => {
    expect(lineFault(words)).toMatch(fault);
  });
});

it('docs/command.md shows every command', () => {
  const text = textOf('docs/command.md');
  const commands = leafCommands().map((words) => ['daybook', ...words].join(' '));
  const missing = commands.filter((words) => !text.includes(words));
  expect(missing).toEqual([]);
});

const contractText = textOf('docs/contract.md');
const MARKS = /_(given|published|assumed|unknown)_/;

/** The names of the page for the named types. */
const NAMED = new Map<unknown, string>([
  [amount, 'amount'],
  [date, 'date'],
  [datetime, 'datetime'],
  [integer, 'integer'],
]);

const RECORDS: [string, Record<string, z.core.$ZodType>][] = [
  ['2.3 Invoice record', invoiceSchema.unwrap().shape],
  ['2.4 Refund record', refundSchema.unwrap().shape],
];

/** The members of a record and their types. A row may be about several. */
const typesIn = (section: string) =>
  rowsOf(section, 'member').flatMap(([members = '', type]) =>
    namesIn(members).map((member) => [member, type] as const),
  );

describe('docs/contract.md', () => {
  it.each(RECORDS)('has the members of the schema, in its order: %s', (heading, shape) => {
    expect(rowNames(sectionOf(contractText, heading), 'member')).toEqual(Object.keys(shape));
  });

  it.each(RECORDS)('has the types of the schema: %s', (heading, shape) => {
    for (const [member, type] of typesIn(sectionOf(contractText, heading))) {
      const named = NAMED.get(shape[member]);
      if (named !== undefined) expect(`${member} ${type}`).toBe(`${member} ${named}`);
      else expect([...NAMED.values()]).not.toContain(type);
    }
  });

  it.each(RECORDS)('names the members of each object: %s', (heading, shape) => {
    const section = sectionOf(contractText, heading);
    for (const [member, type] of typesIn(section)) {
      if (type !== 'object, see below') continue;
      const inner = shape[member];
      if (!(inner instanceof z.ZodObject)) throw new Error(`${member} is not an object in the code`);
      const [, told = ''] = section.split(`\`${member}\` `).slice(-2);
      const named = namesIn(section.slice(section.lastIndexOf(told)));
      expect(Object.keys(inner.shape).filter((name) => !named.includes(name))).toEqual([]);
    }
  });

  it('gives the source of every statement', () => {
    const statements = contractText
      .slice(contractText.indexOf('## 1 '))
      .split(/\n(?=- |\d\. |\n)/)
      .map((statement) => statement.replaceAll('\n', ' ').trim())
      .filter((statement) => /^(- |\d\. )/.test(statement));
    expect(statements.length).toBeGreaterThan(30);
    expect(statements.filter((statement) => !MARKS.test(statement))).toEqual([]);
  });
});

const forgettingText = textOf('docs/forgetting.md');

describe('docs/forgetting.md', () => {
  it('names everything that the commands leave', () => {
    const rows = [...forgettingText.matchAll(/^- (.+)$/gm)].map(([, what]) => what);
    const stays = whatStays('prod', true).map(([what]) => what);
    expect(stays.filter((what) => !rows.some((row) => row?.startsWith(what)))).toEqual([]);
  });

  it('sums up how long data of a customer can stay', () => {
    const steps = [...forgettingText.matchAll(/^\| [^|*]+\| (\d+) +\|$/gm)].map(([, days]) => Number(days));
    const sum = steps.reduce((one, other) => one + other, 0);
    expect(forgettingText).toContain(`dataDays + ${sum}`);
    const { dataDays } = readSettings('prod').retention;
    expect(forgettingText).toContain(`with ${dataDays} \`dataDays\``);
    expect(forgettingText).toContain(`after ${dataDays + sum} days`);
  });

  it('says how long old versions stay', () => {
    const rules = dataLifecycle(readSettings('prod'));
    const daysOf = (days: number) =>
      rules.filter(({ noncurrentVersionExpiration: kept }) => kept?.toDays() === days);
    expect(daysOf(30).map(({ prefix }) => prefix)).toEqual(['days/', 'statements/', 'mail/', 'config/']);
    expect(daysOf(1)).toHaveLength(rules.filter(({ prefix }) => prefix !== undefined).length - 4);
    const told = dataLifecycle({ ...readSettings('prod'), events: { webhooks: [] } });
    const ofFive = told.filter(({ noncurrentVersionExpiration: kept }) => kept?.toDays() === 5);
    expect(ofFive.map(({ prefix }) => prefix)).toEqual(['mail-stops/', 'alerts/']);
    expect(forgettingText.replaceAll('\n', ' ')).toContain(
      'those of `alerts/` and `mail-stops/` go after 5 days',
    );
    expect(forgettingText.replaceAll('\n', ' ')).toContain(
      'Old versions go after one day, those of `days/`, `statements/`, `mail/` and `config/` after 30 days.',
    );
  });
});

/**
 * The columns of the tables with Athena's types, of this version and of all before it: stages are upgraded in place, so none may go or
 * change. CONTRIBUTING.md says how to add one.
 */
const held = z
  .record(z.string(), z.record(z.string(), z.string()))
  .parse(JSON.parse(readFileSync(join(import.meta.dirname, 'history-columns.json'), 'utf8')));

it.each(HISTORY_TABLES)('the table $name has the known columns with their types, and no other', (table) => {
  const sql = createTable(table, { database: 'daybook', location: 's3://bucket/' });
  const columns = [...sql.matchAll(/^ {2}`(\w+)` ([^,\n]+(?:,\d+\))?)/gm)];
  const now = Object.fromEntries(columns.map(([, name = '', type = '']) => [name, type]));
  expect(Object.keys(now)).toHaveLength(table.columns.length);
  expect(now, 'see "How to add a column to the lake" in CONTRIBUTING.md').toEqual(held[table.name]);
});

/** The sections of a document by their headings. A section ends at the next heading of any depth. */
function sectionsOf(document: string): Map<string, string> {
  const text = textOf(`docs/${document}.md`);
  const parts = text.split(/^#{2,4} /m).slice(1);
  return new Map(parts.map((part) => [part.slice(0, part.indexOf('\n')), part.slice(part.indexOf('\n'))]));
}

const documents = { runbook: sectionsOf('runbook'), operations: sectionsOf('operations') };

it('docs/operations.md shows a notice as it is sent', () => {
  const [, shown = ''] = /```\n(Subject: [^]+?)```/.exec(documents.operations.get('Notices') ?? '') ?? [];
  const place = {
    stage: 'prod',
    bucket: 'daybook-data-of-prod',
    runbook: 'https://wiki.example.com/daybook/runbook',
  };
  const { subject, text } = renderOpsNotice(
    { about: '', ...heldNotice({ ...merchantDay('700001', '2026-11-20'), revision: 1 }, 2) },
    place,
  );
  expect(shown).toBe(`Subject: ${subject}\n\n${text}`);
});

describe('the sections that notices link', () => {
  it.each(Object.entries(HEADINGS))('exist: %s', (_, { document, heading }) => {
    expect(documents[document].has(heading), `docs/${document}.md has no heading "${heading}"`).toBe(true);
  });

  it.each(Object.entries(ERROR_SECTIONS).flatMap(([name, errors]) => errors.map((error) => [error, name])))(
    'explain the error that a notice names: %s',
    (error) => {
      const { document, heading } = HEADINGS[headingOfError(error)];
      const section = documents[document].get(heading) ?? '';
      expect(section).toMatch(new RegExp(`^(?:- \\*\\*|\\| )[^|:]*\`${error}\``, 'm'));
    },
  );

  it('are known for every error that docs/operations.md explains', () => {
    const known: string[] = Object.values(ERROR_SECTIONS).flat();
    const explained = [...documents.operations.values()].flatMap((section) =>
      [...section.matchAll(/^(?:- \*\*|\| )([^|*]*`\w+Error`[^|*]*)[|*]/gm)].flatMap(([, names = '']) =>
        [...names.matchAll(/`(\w+Error)`/g)].map(([, name = '']) => name),
      ),
    );
    expect(explained.length).toBeGreaterThan(30);
    expect([...new Set(explained)].sort()).toEqual(known.toSorted());
  });
});

/** The one maker of lines to paste. */
const MAKER = 'functions/mail/notices/ops-command.ts';
/** A line of a program that works with a stage, inside a text. */
const LINE =
  /\bnpx (?:daybook|cdk)\b|["'`(]daybook [a-z]+ |\baws (?:[a-z0-9]+ [a-z]+-[a-z]|s3 |sso |logs )|\bnpm start -- --serve\b/;

/** Source without comments, and without the examples of `--help`: those show how a command is used, on no stage. */
function textsOf(source: string): string[] {
  const code = source.replaceAll(/\/\*[^]*?\*\//g, '').replaceAll(/^\s*\/\/.*$/gm, '');
  const withoutExamples = code.replaceAll(/described\((?:[^()]|\([^()]*\))*\)/g, '');
  return withoutExamples.split('\n').filter((line) => LINE.test(line));
}

describe('lines to paste', () => {
  it('are made in one place: no other source writes one by hand', () => {
    const files = globSync(['bin/**/*.ts', 'functions/**/*.ts', 'lib/**/*.ts'], { cwd: ROOT });
    const found = files
      .filter((file) => file !== MAKER)
      .flatMap((file) => textsOf(textOf(file)).map((line) => `${file}: ${line.trim()}`));
    expect(found).toEqual([]);
  });

  it.each([
    [{ stage: 'prod' }, 'npx daybook why 700001 --stage prod'],
    [
      { stage: 'prod', profile: 'my team', region: 'me-south-1' },
      "npx daybook why 700001 --stage prod --profile 'my team' --region me-south-1",
    ],
    [{ local: true, directory: '.local' }, 'npx daybook why 700001 --local'],
    [{ local: true, directory: "a'b" }, `npx daybook why 700001 --local --directory 'a'\\''b'`],
  ])('lead to the same stage again: %j', (place, line) => {
    expect(pastedLine('daybook', ['why', '700001'], place)).toBe(line);
  });

  it.each(['aws', 'cdk'] as const)(
    'of %s do not exist for a local run, so no account is reached',
    (program) => {
      const line = pastedLine(program, ['s3', 'rm', 's3://daybook/x'], { local: true, profile: 'mine' });
      expect(line).toBe('npm start -- --serve');
    },
  );

  it('of other programs name profile and region', () => {
    const place = { stage: 'prod', profile: 'mine', region: 'me-south-1' };
    expect(pastedLine('aws', ['sns', 'list-topics'], place)).toBe(
      'aws sns list-topics --profile mine --region me-south-1',
    );
    expect(pastedLine('cdk', ['deploy', '--all'], place)).toBe(
      'npx cdk deploy --all -c stage=prod --profile mine',
    );
  });
});

const registry = textOf('docs/registry.md');

describe('docs/registry.md lists exactly what the code has:', () => {
  it.each([
    ['merchant', 'A merchant', 'member', merchantSchema],
    ['branding', 'Branding', 'branding member', brandingSchema],
    ['statements', 'Statements', 'statements member', statementSettingsSchema],
    ['group', 'Groups', 'group member', groupSchema],
  ])('the members of a %s', (_, heading, first, schema) => {
    const documented = rowNames(sectionOf(registry, heading), first);
    expect(documented.sort()).toEqual(Object.keys(schema.unwrap().shape).sort());
  });

  it('the members of branding that have a default', () => {
    expect(Object.keys(BRANDING)).toEqual(
      Object.keys(brandingSchema.unwrap().shape).filter((name) => name !== 'footer'),
    );
  });

  it('the members that are merged', () => {
    const [, sentence = ''] = /members are merged: ([^.]+)\./.exec(registry) ?? [];
    expect(namesIn(sentence).sort()).toEqual(Object.keys(MERGED_SCHEMAS).sort());
  });

  it('the comparisons', () => {
    const documented = namesBelow(sectionOf(registry, 'What is compared'), 'They compare');
    expect(documented.sort()).toEqual([...COMPARISONS].sort());
  });
});

it('docs/alerts.md names every measure in its table', () => {
  const documented = rowNames(textOf('docs/alerts.md'), 'measure');
  expect(documented.sort()).toEqual(MEASURES.map(({ name }) => name).sort());
});

const ALL_FUNCTIONS = Object.keys(FUNCTIONS).map((name) => `function/${name}`);

/** The keys of the bucket that an action is allowed on. */
function keysOf(rights: readonly CommandRight[], action: string): string {
  const keys = rights.flatMap((right) =>
    right.action === action && right.on.startsWith('data/') ? [right.on.slice('data/'.length)] : [],
  );
  const hasRegistry = keys.some((key) => REGISTRY.includes(key));
  const others = keys.filter((key) => !REGISTRY.includes(key)).map((key) => `\`${key}\``);
  return [...(hasRegistry ? ['registry'] : []), ...others].join(', ');
}

function placesOf(rights: readonly CommandRight[]): string {
  const names = rights.map(({ on }) => on);
  const isEvery = ALL_FUNCTIONS.every((name) => names.some((on) => on === name));
  if (isEvery) return 'every function';
  return names
    .map((on) => (on.startsWith('function/') ? `\`${on.slice('function/'.length)}\`` : on))
    .join(', ');
}

/** The calls that are not on objects, such as `sqs:StartMessageMoveTask` on dead-letter queues. */
function otherCalls(rights: readonly CommandRight[]): string {
  const byAction = Map.groupBy(
    rights.filter(({ action, on }) => action === 's3:GetObjectVersion' || !on.startsWith('data/')),
    ({ action }) => action,
  );
  const byPlace = Map.groupBy(byAction, ([, same]) => placesOf(same));
  return [...byPlace]
    .map(([place, calls]) => {
      const actions = calls.map(([action, same]) => {
        const only = same.some((right) => right.operatorsOnly) ? ' (`Operators`)' : '';
        return `\`${action}\`${only}`;
      });
      return `${place}: ${actions.join(', ')}`;
    })
    .join('; ');
}

/** A line for each command: its name, the smaller policy that is enough, the objects that it reads, writes and removes, other calls. */
function rightsLine(command: (typeof COMMAND_NAMES)[number]): string {
  const rights = ownRights(command);
  const objects = [
    ['reads', 's3:GetObject'],
    ['writes', 's3:PutObject'],
    ['removes', 's3:DeleteObject'],
  ].map(([does = '', action = '']) => [does, keysOf(rights, action)] as const);
  const said = [
    ...objects.filter(([, keys]) => keys !== '').map((words) => words.join(' ')),
    ...[otherCalls(rights)].filter((calls) => calls !== ''),
  ];
  return `- \`${command}\` (\`${policyOf(command)}\`): ${said.join('; ')}`;
}

const FILE = join(ROOT, 'docs/rights.md');

// `vitest run test/documentation/documented-facts -u` writes the list anew.
it('docs/rights.md lists every command with exactly the calls that the policies allow', async () => {
  const [words = ''] = readFileSync(FILE, 'utf8').split(/^- `/m);
  await expect(`${words}${COMMAND_NAMES.map(rightsLine).join('\n')}\n`).toMatchFileSnapshot(FILE);
});

const CHECKS_A_DAY = 96;
const scale = sectionOf(textOf('docs/scale.md'), 'What a stage costs');
const number = (text = '') => Number(text.replaceAll(',', ''));
/** A price such as `0.20 / 1,000,000`. */
function price(text: string): number {
  const [dollars, units = '1'] = text.split(' / ');
  return number(dollars) / number(units);
}

const units = rowsOf(scale, 'unit').map(([, stage, merchant, check, , dollars = '']) => {
  return { stage: number(stage), merchant: number(merchant), check: number(check), dollars: price(dollars) };
});
const examples = rowsOf(scale, 'merchants').map((row) => row.map(number));

/** By the formula of the document. */
function dollarsADay(merchants: number, checks: number): number {
  return units.reduce(
    (sum, { stage, merchant, check, dollars }) =>
      sum + (stage + merchants * merchant + checks * check) * dollars,
    0,
  );
}

describe('what a stage costs', () => {
  it.each(examples)('follows from the units: %i merchants', (merchants = 0, reports = 0, _, all = 0) => {
    expect(dollarsADay(merchants, 0) / reports).toBeCloseTo(1, 1.4);
    expect(dollarsADay(merchants, merchants * CHECKS_A_DAY) / all).toBeCloseTo(1, 1.4);
  });

  it('is the same in the deployment guide', () => {
    const guide = rowsOf(textOf('docs/deploy.md'), 'merchants').map((row) => row.map(number));
    expect(guide).toEqual(examples.map(([merchants, , reports, , all]) => [merchants, reports, all]));
    expect(examples.map(([merchants]) => merchants)).toEqual([1, 100, 1_000, 10_000]);
  });
});
