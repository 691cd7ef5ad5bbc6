import * as z from 'zod';
import { TRINO_VERSION } from './installation/install.ts';

const columnSchema = z.object({ Name: z.string(), Type: z.string() });

const tableSchema = z.object({
  Type: z.literal('AWS::Glue::Table'),
  Properties: z.object({
    TableInput: z.object({
      Name: z.string(),
      TableType: z.enum(['EXTERNAL_TABLE', 'VIRTUAL_VIEW']),
      Parameters: z.record(z.string(), z.unknown()),
      PartitionKeys: z.array(columnSchema),
      ViewOriginalText: z.string().optional(),
      ViewExpandedText: z.string().optional(),
      StorageDescriptor: z.object({
        Location: z.unknown().optional(),
        Columns: z.array(columnSchema),
        InputFormat: z.string().optional(),
        OutputFormat: z.string().optional(),
        SerdeInfo: z.object({
          SerializationLibrary: z.string(),
          Parameters: z.record(z.string(), z.string()).default({}),
        }),
      }),
    }),
  }),
});
type TableInput = z.infer<typeof tableSchema>['Properties']['TableInput'];

const templateSchema = z.object({ Resources: z.record(z.string(), z.unknown()) });
const joinSchema = z.object({ 'Fn::Join': z.tuple([z.string(), z.array(z.unknown())]) });

/** What stands for the parts of the template that a deploy decides. */
export interface Deployed {
  bucket: string;
  /** `YYYY-MM-DD` for the `NOW` of projected ranges. */
  today: string;
}

function textOf(value: unknown, bucket: string): string {
  if (typeof value === 'string') return value;
  const [separator, parts] = joinSchema.parse(value)['Fn::Join'];
  // The lake's tables refer to nothing but the data bucket.
  return parts.map((part) => (typeof part === 'string' ? part : bucket)).join(separator);
}

function dayAfter(today: string, days: number): string {
  const date = new Date(`${today}T00:00:00Z`);
  date.setUTCDate(date.getUTCDate() + days);
  return date.toISOString().slice(0, 10);
}

/** A parameter; a projected range ends on a given day. */
function parameterOf(name: string, value: unknown, { bucket, today }: Deployed): string {
  const text = textOf(value, bucket);
  if (!/^projection\..*\.range$/.test(name)) return text;
  return text.replace(/NOW(?:([+-]\d+)DAYS)?/g, (_now, days) => dayAfter(today, Number(days ?? 0)));
}

/** Trino 476 knows no interval of years, which Athena does: it gets the same years as a range of integers. */
function parametersOf(input: TableInput, deployed: Deployed): Record<string, string> {
  const parameters = new Map(
    Object.entries(input.Parameters).map(([name, value]) => [name, parameterOf(name, value, deployed)]),
  );
  for (const { Name } of input.PartitionKeys) {
    const projection = `projection.${Name}`;
    if (parameters.get(`${projection}.interval.unit`) !== 'YEARS') continue;
    const now = new Date().toISOString();
    const bounds = z
      .string()
      .parse(parameters.get(`${projection}.range`))
      .split(',')
      .map((bound) => bound.replace('NOW', now).slice(0, 'YYYY'.length));
    parameters.set(`${projection}.type`, 'integer').set(`${projection}.range`, bounds.join(','));
    for (const ofDates of ['format', 'interval.unit']) parameters.delete(`${projection}.${ofDates}`);
  }
  return Object.fromEntries(parameters);
}

function schemaFile(input: TableInput, deployed: Deployed): Record<string, unknown> {
  const { StorageDescriptor: storage } = input;
  const columns = (of: z.infer<typeof columnSchema>[]) =>
    of.map(({ Name, Type }) => ({ name: Name, type: Type, properties: {} }));
  const common = {
    writerVersion: TRINO_VERSION,
    owner: 'daybook',
    tableType: input.TableType,
    dataColumns: columns(storage.Columns),
    partitionColumns: columns(input.PartitionKeys),
    parameters: parametersOf(input, deployed),
    columnStatistics: {},
  };
  if (input.TableType === 'VIRTUAL_VIEW') {
    return {
      ...common,
      originalStorageFormat: {},
      serdeParameters: {},
      viewOriginalText: input.ViewOriginalText,
      viewExpandedText: input.ViewExpandedText,
    };
  }
  return {
    ...common,
    originalStorageFormat: {
      serde: storage.SerdeInfo.SerializationLibrary,
      inputFormat: storage.InputFormat,
      outputFormat: storage.OutputFormat,
    },
    serdeParameters: storage.SerdeInfo.Parameters,
    externalLocation: textOf(storage.Location, deployed.bucket),
  };
}

/** As files of Trino's file metastore, by their paths. `template`: of the stack Lake, synthesised. */
export function metastoreFiles(template: unknown, database: string, deployed: Deployed): Map<string, string> {
  const files = new Map<string, unknown>([
    [
      `.${database}.trinoSchema`,
      { writerVersion: TRINO_VERSION, ownerName: 'daybook', ownerType: 'USER', parameters: {} },
    ],
  ]);
  for (const resource of Object.values(templateSchema.parse(template).Resources)) {
    const table = tableSchema.safeParse(resource);
    if (!table.success) {
      if (z.object({ Type: z.literal('AWS::Glue::Table') }).safeParse(resource).success) throw table.error;
      continue;
    }
    const { TableInput: input } = table.data.Properties;
    files.set(`${database}/${input.Name}/.trinoSchema`, schemaFile(input, deployed));
  }
  return new Map([...files].map(([path, content]) => [path, JSON.stringify(content)]));
}

export function databaseOf(template: unknown): string {
  const schema = z.object({
    Type: z.literal('AWS::Glue::Database'),
    Properties: z.object({ DatabaseInput: z.object({ Name: z.string() }) }),
  });
  const resources = Object.values(templateSchema.parse(template).Resources);
  const [database] = resources.flatMap((resource) => schema.safeParse(resource).data ?? []);
  if (database === undefined) throw new Error('the template has no database');
  return database.Properties.DatabaseInput.Name;
}
