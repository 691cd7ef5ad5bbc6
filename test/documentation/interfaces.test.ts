import type { CheckProblem } from '#bin/daybook/check/problem.ts';
import { alertCheckEventSchema } from '#alerts/alert-check/alert-check-run.ts';
import type { AlertCheckAnswer } from '#alerts/alert-check/create-alert-check.ts';
import type { DailyReportAnswer } from '#page/daily-report/create-daily-report.ts';
import { dailyReportEventSchema } from '#page/daily-report/prepare-run.ts';
import {
  eventSchema as watchEventSchema,
  type WatchAnswer,
} from '#watch/delivery-watch/create-delivery-watch.ts';
import { eventSchema as planEventSchema } from '#functions/plan/plan-event.ts';
import type { PlanResult } from '#functions/plan/plan-result.ts';
import { variableNames } from '#registry/environment.ts';
import { daysMessageSchema, statementMessageSchema } from '#runtime/queue-message.ts';
import { checkRecordSchema } from '#records/revision/check-record.ts';
import { alertStateSchema } from '#records/ledger/alert-state.ts';
import { ledgerSchema } from '#records/ledger/ledger.ts';
import { dataFileSchema, manifestSchema } from '#records/revision/manifest.ts';
import { notifiedDaySchema, notifiedPeriodSchema } from '#watch/delivery-watch/notified.ts';
import { entrySchema } from '#service/authentication/credentials.ts';
import { INTERNALS, MAIL_KINDS } from '#mail/message/mail-head.ts';
import type { MailTags } from '#mail/mail-sender.ts';
import { eventSchema as sweepEventSchema, type SweepAnswer } from '#watch/sweep/create-sweep.ts';
import { statementEventSchema } from '#page/statement/event-and-answer.ts';
import type { GroupAnswer, MerchantStatementAnswer } from '#page/statement/event-and-answer.ts';
import { eventSchema as lakeEventSchema, type LakeAnswer } from '#lake/create-lake.ts';
import { FUNCTIONS, OPTIONAL_FUNCTIONS } from '#lib/functions.ts';
import { eventSchema as proveEventSchema, type ProveAnswer } from '#page/prove/create-prove.ts';
import { proofSchema } from '#page/prove/proof.ts';
import { examplesIn, rowNames, namesBelow, namesIn, sectionOf } from '#support/documentation/markdown.ts';
import * as z from 'zod';
import { defined } from '#support/assertions/index.ts';
import { textOf } from '#support/documentation/documents.ts';
import { isMembers } from '#records/json/exact-json.ts';

const templateSchema = z.object({ Outputs: z.record(z.string(), z.unknown()).default({}) });
/** CDK makes these outputs for references between stacks. */
const OF_CDK = /^(Exports|Publish)Output/;

/** The outputs that only `dev` has. */
function outputsOfDev(): string[] {
  const text = textOf('test/stacks/snapshots/dev.json');
  const different = z.record(z.string(), z.unknown()).parse(JSON.parse(text));
  return Object.keys(different).flatMap((path) => {
    const [stack = '', , name = ''] = /^\w+ Outputs \w+$/.test(path) ? path.split(' ') : [];
    return name === '' ? [] : [`${stack} ${name}`];
  });
}

/** The outputs that the stacks have for people and commands, in any recorded stage: `Data BucketName`. */
function stackOutputs(): string[] {
  const ofProd = ['Data', 'Mail', 'Functions', 'Schedules', 'Lake', 'Access'].flatMap((stack) => {
    const text = textOf(`test/stacks/snapshots/prod/${stack}.json`);
    const { Outputs } = templateSchema.parse(JSON.parse(text));
    const names = Object.keys(Outputs).filter((name) => !OF_CDK.test(name));
    return names.map((name) => `${stack} ${name}`);
  });
  return [...new Set([...ofProd, ...outputsOfDev()])];
}

/** The schema as one of zod's own classes, which its type tells apart by `def.type`. */
function known(schema: z.core.$ZodType): z.core.$ZodTypes {
  if (!isOwn(schema)) throw new Error('the schema has no type');
  return schema;
}

function isOwn(schema: z.core.$ZodType): schema is z.core.$ZodTypes {
  return typeof schema._zod.def.type === 'string';
}

/**
 * Where an example has other members than its schema, in either direction. Types of values are not compared: the schema
 * itself does that. A list of objects that is empty, and a null in an object's place, show nothing, and are faults.
 *
 * @param path of the example, for the words of a fault
 */
function shapeFaults(schema: z.core.$ZodType, example: unknown, path: string): string[] {
  const { def } = known(schema)._zod;
  switch (def.type) {
    case 'lazy':
      return shapeFaults(def.getter(), example, path);
    case 'nullable':
    case 'optional':
    case 'default':
    case 'prefault':
      return shapeFaults(def.innerType, example, path);
    case 'pipe':
      return shapeFaults(def.in, example, path);
    case 'array':
      if (!Array.isArray(example)) return [`${path} is no list`];
      // In an empty list all members of an entry are missing.
      return (example.length === 0 ? [{}] : example).flatMap((entry, index) =>
        shapeFaults(def.element, entry, `${path}[${index}]`),
      );
    case 'record':
      if (!isMembers(example)) return [`${path} is no object`];
      return Object.entries(example).flatMap(([name, entry]) =>
        shapeFaults(def.valueType, entry, `${path}.${name}`),
      );
    case 'object': {
      if (!isMembers(example)) return [`${path} is no object`];
      const names = Object.keys(def.shape);
      return [
        ...names.flatMap((name) =>
          name in example
            ? shapeFaults(defined(def.shape[name]), example[name], `${path}.${name}`)
            : [`${path}.${name} is not in the example`],
        ),
        ...Object.keys(example)
          .filter((name) => !names.includes(name))
          .map((name) => `${path}.${name} is not in the code`),
      ];
    }
    default:
      return [];
  }
}

const text = textOf('docs/interfaces.md');
const section = (heading: string) => sectionOf(text, heading);

/** The words of a text. */
type Words<Text extends string> = Text extends `${infer First} ${infer Rest}` ? First | Words<Rest> : Text;
type Exactly<Wanted, Given> = [Wanted, Given] extends [Given, Wanted]
  ? unknown
  : { lacks: Exclude<Wanted, Given>; hasTooMuch: Exclude<Given, Wanted> };

/** Every member of a type, in lines of words: the compiler refuses lines that lack one or have one too many. */
const every =
  <T>() =>
  <Line extends string>(...lines: (Line & Exactly<keyof T, Words<Line>>)[]) =>
    lines.flatMap((line) => line.split(' ')).sort();
const shapeOf = (schema: z.ZodLazy<z.ZodObject>) => Object.keys(schema.unwrap().shape).sort();

describe('docs/interfaces.md lists exactly what the code has:', () => {
  it('the functions', () => {
    const [, build = ''] = text.split('## 1 Build');
    const [sentence = ''] = build.split('Each exports');
    const named = namesIn(sentence).filter((name) => !name.includes(' ') && !name.includes('/'));
    expect(named.sort()).toEqual(Object.keys({ ...FUNCTIONS, ...OPTIONAL_FUNCTIONS }).sort());
  });

  it('the variables of the environment', () => {
    const documented = rowNames(section('2 Environment of the functions'), 'variable');
    expect(documented.sort()).toEqual(variableNames().sort());
  });

  it('the members of the secret', () => {
    expect(namesBelow(section('3 Secret'), 'for each merchant code:').sort()).toEqual(shapeOf(entrySchema));
  });

  it.each([
    ['4.1 plan', planEventSchema],
    ['4.2 daily-report', dailyReportEventSchema],
    ['4.3 alert-check', alertCheckEventSchema],
    ['4.4 delivery-watch', watchEventSchema],
    ['4.5 sweep', sweepEventSchema],
    ['4.7 statement', statementEventSchema],
    ['4.8 lake', lakeEventSchema],
    ['4.10 prove', proveEventSchema],
  ])('the members of the event of %s', (heading, schema) => {
    expect(rowNames(section(heading), 'event member').sort()).toEqual(shapeOf(schema));
  });

  it.each([
    ['4.1 plan', every<PlanResult>()('itemCount sent items rejected notices lookedAt')],
    [
      '4.2 daily-report',
      every<DailyReportAnswer>()(
        'merchantCode day revision unchanged balanced differences notCompared currency counts',
        'amounts refunds manifestKey mail',
      ),
    ],
    [
      '4.3 alert-check',
      every<AlertCheckAnswer>()(
        'merchantCode day transitions mailed mail noData rejected ignored rules pendingMail',
      ),
    ],
    [
      '4.4 delivery-watch',
      every<WatchAnswer>()('expected delivered missing unbalanced held stoppedByReaders statements'),
    ],
    ['4.10 prove', every<ProveAnswer>()('date pages root unchanged proofKey')],
    ['4.5 sweep', every<SweepAnswer>()('settled held removed')],
    [
      '4.8 lake',
      every<LakeAnswer>()(
        'finished slices tables daysWaiting mailWaiting brokenRules files rows snapshotsWait',
      ),
    ],
    [
      '4.7 statement',
      every<MerchantStatementAnswer & GroupAnswer>()(
        'merchantCode group period from to revision unchanged final missing unbalanced',
        'currency counts amounts refunds byCurrency closedAt adjustments merchants',
        'statementKey mail',
      ),
    ],
  ])('the members of the answer of %s', (heading, members) => {
    expect(namesBelow(section(heading), 'The answer:').sort()).toEqual(members);
  });

  it('the members of a problem of daybook check', () => {
    const members = every<CheckProblem>()('line column path merchantCode group message suggestion file');
    expect(namesBelow(section('10.1 daybook check'), 'A problem:').sort()).toEqual(members);
  });

  it('the tags of mails', () => {
    const tags = every<MailTags>()('kind merchant group day period revision check recipient');
    expect(namesBelow(section('4.6 mail-events'), 'that have one:').sort()).toEqual(tags);
  });

  it('the headers and the kinds of mails', () => {
    const headers = section('8 Headers of mails');
    const all = ['Kind', 'Reference', ...INTERNALS].map((name) => `X-Daybook-${name}`);
    expect(namesBelow(headers, 'The headers:').sort()).toEqual(all.sort());
    for (const kind of MAIL_KINDS) expect(namesIn(headers)).toContain(kind);
  });

  it.each<[heading: string, read: z.ZodType, shown?: z.ZodType]>([
    ['6.1 Manifest', manifestSchema.unwrap().extend({ files: z.array(dataFileSchema) }), manifestSchema],
    ['6.2 Record of the last pull', checkRecordSchema],
    ['6.4 Ledger', ledgerSchema],
    [
      '6.5 Rule states',
      alertStateSchema,
      alertStateSchema.unwrap().extend({ merchantCode: z.string(), writer: z.string() }),
    ],
    ['6.6 What the watch told', notifiedDaySchema],
    ['6.11 What the watch told of statements', notifiedPeriodSchema],
    ['6.14 Proof', proofSchema],
    ['7 Queues', daysMessageSchema],
  ])('the members of %s, in an example that the code can read', (heading, read, shown = read) => {
    const [example] = examplesIn(section(heading));
    const faults = shapeFaults(shown, example, 'example');
    // A ledger keeps no invoices of an alert mail.
    expect(faults.filter((fault) => !fault.startsWith('example.says.lines[0].items['))).toEqual([]);
    expect(read.safeParse(example).error?.message).toBeUndefined();
  });

  it.each([1, 2])('example %i of the message of a statement or page, which the code can read', (index) => {
    const example = examplesIn(section('7 Queues'))[index];
    expect(statementMessageSchema.safeParse(example).error?.message).toBeUndefined();
  });

  it('the outputs of the stacks', () => {
    const outputs = section('9 Outputs of the stacks').matchAll(/^- ([^(]+) \(`(\w+)`\)/gm);
    const documented = [...outputs].flatMap(([, names = '', stack = '']) =>
      (names.includes('Dkim') ? ['Dkim1', 'Dkim2', 'Dkim3'] : namesIn(names)).map(
        (name) => `${stack} ${name}`,
      ),
    );
    expect(documented.sort()).toEqual(stackOutputs().sort());
  });
});

describe('the check of an example against its schema', () => {
  const schema = z.object({ day: z.string(), files: z.array(z.object({ key: z.string() })).nullable() });

  it.each<[string, unknown, string[]]>([
    ['nothing, where all is there', { day: '2026-11-20', files: [{ key: 'a' }] }, []],
    ['a member that is missing', { files: [{ key: 'a' }] }, ['it.day is not in the example']],
    [
      'one too many, within a list',
      { day: '', files: [{ key: '', size: 1 }] },
      ['it.files[0].size is not in the code'],
    ],
    ['a list that shows nothing', { day: '', files: [] }, ['it.files[0].key is not in the example']],
    ['a null that shows nothing', { day: '', files: null }, ['it.files is no list']],
  ])('finds %s', (_, example, faults) => {
    expect(shapeFaults(schema, example, 'it')).toEqual(faults);
  });
});
