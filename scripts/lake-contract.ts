import { glueType, sqlName } from '#lake/sql/columns.ts';
import type { LakeColumn, Meaning } from '#lake/sql/columns.ts';
import { HISTORY_TABLES, VIEW_HISTORIES } from '#lake/sql/history-tables.ts';
import type { HistoryTable } from '#lake/sql/history-tables.ts';
import type { LakeView } from '#lake/sql/lake-view.ts';
import { QUALITY_RULES, ruleQuery } from '#lake/sql/statements/rules.ts';
import { LAKE_TABLES, OPERATORS_ONLY, PARTITION_COMMENTS } from '#lib/lake/tables.ts';
import type { LakeTable } from '#lib/lake/tables.ts';
import { LAKE_VIEWS } from '#lib/lake/views/index.ts';

/*
 * The contract of the lake in the Open Data Contract Standard 3.1 (https://bitol-io.github.io/open-data-contract-standard), from the
 * definitions that make its tables and views. The data dictionary is made from it.
 */

interface CustomProperty {
  property: string;
  value: string;
}

/** A column, or a member of an object in a column. */
export interface ContractColumn {
  name: string;
  physicalType: string;
  logicalType: string;
  items?: { physicalType: string; logicalType: string };
  required: boolean;
  description: string;
  /** Set for a person's data. */
  classification?: 'personal';
  partitioned?: true;
  partitionKeyPosition?: number;
  customProperties?: CustomProperty[];
  properties?: ContractColumn[];
}

/** A view, a table of the history, or a table over the files. */
export interface ContractTable {
  name: string;
  physicalType: 'view' | 'Iceberg table' | 'JSON files' | 'CSV files';
  description: string;
  /** People who may see it; left out for everybody with the whole lake. */
  tags?: ['operators only'];
  /** `prefix` of its objects, and `columnsAs`: the table or view that has the same columns. */
  customProperties?: CustomProperty[];
  /** Left out where another table has the same ones. */
  properties?: ContractColumn[];
  quality?: object[];
}

/** The value of a custom property; an empty text without one. */
export function customOf(of: ContractTable | ContractColumn, property: string): string {
  return of.customProperties?.find((each) => each.property === property)?.value ?? '';
}

const LOGICAL_TYPES: readonly (readonly [begins: string, logical: string])[] = [
  ['array', 'array'],
  ['struct', 'object'],
  ['map', 'object'],
  ['bigint', 'integer'],
  ['double', 'number'],
  ['decimal', 'number'],
  ['boolean', 'boolean'],
  ['date', 'date'],
  ['timestamp', 'timestamp'],
];

function typesOf(physicalType: string): Pick<ContractColumn, 'physicalType' | 'logicalType' | 'items'> {
  const [, logicalType = 'string'] = LOGICAL_TYPES.find(([begins]) => physicalType.startsWith(begins)) ?? [];
  const [, item] = /^array[<(](.+)[>)]$/.exec(physicalType) ?? [];
  return { physicalType, logicalType, ...(item !== undefined && { items: typesOf(item) }) };
}

function columnOf(
  name: string,
  physicalType: string,
  { meaning, unit, personal, nullable }: Meaning & { nullable: boolean },
): ContractColumn {
  return {
    name,
    ...typesOf(physicalType),
    required: !nullable,
    description: meaning,
    ...(personal === true && { classification: 'personal' }),
    ...(unit !== undefined && { customProperties: [{ property: 'unit', value: unit }] }),
  };
}

/** A column, with those members of an object that have a meaning of their own. */
function fileColumn(column: LakeColumn): ContractColumn {
  const { members = [] } = column;
  return {
    ...columnOf(sqlName(column), glueType(column.type), column),
    ...(members.length > 0 && {
      properties: members.map((member) =>
        columnOf(sqlName(member).slice(sqlName(column).length + 1), glueType(member.type), member),
      ),
    }),
  };
}

function onlyOperators(name: string): Pick<ContractTable, 'tags'> {
  return OPERATORS_ONLY.includes(name) ? { tags: ['operators only'] } : {};
}

function viewOf({ name, description, columns }: LakeView): ContractTable {
  return {
    ...{ name, physicalType: 'view', description },
    ...onlyOperators(name),
    properties: columns.map((column) => columnOf(column.name, column.type, column)),
  };
}

function historyOf(table: HistoryTable): ContractTable {
  const latest = VIEW_HISTORIES.find(({ name }) => name === table.name)?.latest;
  const quality = QUALITY_RULES.filter((rule) => rule.table === table).map((rule) => ({
    ...{ name: rule.name, description: rule.description, dimension: rule.dimension },
    ...{ type: 'sql', query: ruleQuery(rule), mustBe: 0, unit: 'rows', severity: 'error' },
    ...{ scheduler: 'the function lake', schedule: 'after each daily merge' },
  }));
  return {
    ...{ name: table.name, physicalType: 'Iceberg table', description: table.description },
    ...(latest !== undefined && { customProperties: [{ property: 'columnsAs', value: latest.name }] }),
    properties: table.columns.map((column) => columnOf(column.name, column.type, column)),
    ...(quality.length > 0 && { quality }),
  };
}

function filesOf({ name, description, prefix, format, partitions, columns }: LakeTable): ContractTable {
  const same = partitions.includes('merchant') ? name.replace('merchant_', '') : undefined;
  return {
    ...{ name, physicalType: format === 'json' ? 'JSON files' : 'CSV files', description },
    ...onlyOperators(name),
    customProperties: [
      { property: 'prefix', value: prefix },
      ...(same === undefined ? [] : [{ property: 'columnsAs', value: same }]),
    ],
    ...(same === undefined && {
      properties: [
        ...columns.map(fileColumn),
        ...partitions.map((partition, index): ContractColumn => {
          const meant = { meaning: PARTITION_COMMENTS[partition], nullable: false };
          return {
            ...columnOf(partition, 'string', meant),
            ...{ partitioned: true, partitionKeyPosition: index + 1 },
          };
        }),
      ],
    }),
  };
}

/** All tables and views, in the order of the data dictionary. */
export const CONTRACT_TABLES: readonly ContractTable[] = [
  ...LAKE_VIEWS.map(viewOf),
  ...HISTORY_TABLES.map(historyOf),
  ...LAKE_TABLES.map(filesOf),
];

const ABOUT = {
  apiVersion: 'v3.1.0',
  kind: 'DataContract',
  id: 'urn:daybook:lake',
  name: 'The lake of Daybook',
  version: '1.0.0',
  status: 'active',
  domain: 'payments',
  description: {
    purpose:
      'Invoices, refunds and figures of each merchant and day as they were sealed, for questions that no mail answers.',
    usage:
      'Begin with the views all_*: each row is of the newest sealed revision of its day. Give the column day a condition with literals.',
    limitations:
      'No payments at points of sale, through the gateway or by open invoices. What is paid after followFor is in no row.',
  },
  team: { name: 'The operators of the stage', description: 'They get the alarm when a rule is broken.' },
  roles: [
    {
      role: 'AnalystsPolicy',
      access: 'read',
      description: 'Every table and view but those for operators only.',
    },
    {
      role: 'Group<Name>Policy',
      access: 'read',
      description:
        "A group's copy: the tables invoices, refunds and days of its own database, with its merchants' rows.",
    },
  ],
  servers: [
    {
      ...{ server: 'prod', type: 'athena', schema: 'daybook_prod', catalog: 'awsdatacatalog' },
      stagingDir: 's3://bucket-of-answers/people/',
      description: 'Of the stage prod, in its workgroup daybook-prod, which knows the bucket of answers.',
    },
  ],
  slaProperties: [
    {
      ...{ property: 'latency', value: 0, unit: 'h', element: 'latest_invoices,latest_refunds,latest_days' },
      description: 'A sealed revision is there at once.',
    },
    {
      ...{ property: 'latency', value: 1, unit: 'h', element: 'all_invoices,all_refunds,all_days' },
      description:
        'A new day is there at once; a change of a day that was merged before comes within the hour.',
    },
    {
      ...{ property: 'latency', value: 1, unit: 'd', element: 'mail_history' },
      description: 'As of the last daily merge.',
    },
    {
      ...{
        property: 'retention',
        value: 'retention.dataDays',
        unit: 'd',
        element: 'all_invoices,all_refunds',
      },
      description: 'A setting of the stage; counted from the pull.',
    },
    {
      ...{ property: 'retention', value: 'retention.manifestDays', unit: 'd', element: 'all_days' },
      description: 'A setting of the stage; counted from the pull.',
    },
  ],
};

/** JSON of an object, a member a line. @param listed the items of a list, which comes last and has an item a line */
function lines(object: object, indent: string, name: string, listed: readonly string[] | undefined): string {
  const members = Object.entries(object).map(
    ([member, value]) => `${indent}${JSON.stringify(member)}: ${JSON.stringify(value)}`,
  );
  const list = listed?.map((item) => `${indent}  ${item}`).join(',\n');
  if (list !== undefined) members.push(`${indent}${JSON.stringify(name)}: [\n${list}\n${indent}]`);
  return `{\n${members.join(',\n')}\n${indent.slice(2)}}`;
}

/** The text of the contract: JSON, with a column a line. */
export function lakeContract(): string {
  const tables = CONTRACT_TABLES.map(({ properties, ...table }) =>
    lines(
      table,
      '      ',
      'properties',
      properties?.map((column) => JSON.stringify(column)),
    ),
  );
  return `${lines(ABOUT, '  ', 'schema', tables)}\n`;
}
