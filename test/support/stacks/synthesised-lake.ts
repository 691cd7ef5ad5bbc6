import { mkdtempSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { App, RemovalPolicy, Validations } from 'aws-cdk-lib';
import { RetentionDays } from 'aws-cdk-lib/aws-logs';
import { Template } from 'aws-cdk-lib/assertions';
import { SolutionsChecks } from '#lib/checks.ts';
import { DataStack } from '#lib/data-stack.ts';
import { LakeStack } from '#lib/lake-stack.ts';
import type { LakeGroup } from '#lib/lake/groups.ts';
import { readSettings } from '#lib/settings.ts';
import * as z from 'zod';
import { cdk } from './cdk-json.ts';

/** The lake's template beside the data it reads, checked by the rules that a synth is checked by. */
export function synthesiseLake(removalPolicy = RemovalPolicy.RETAIN, groups: readonly LakeGroup[] = []) {
  const app = new App({ context: cdk.context, outdir: mkdtempSync(join(tmpdir(), 'daybook-cdk-')) });
  const env = { region: 'eu-central-1' };
  const data = new DataStack(app, 'Daybook-dev-Data', { env, settings: readSettings('dev') });
  const stack = new LakeStack(app, 'Daybook-dev-Lake', {
    env,
    databaseName: 'daybook_dev',
    firstDay: '2026-01-01',
    scanLimitBytes: 5_000_000_000,
    queryResultDays: 7,
    removalPolicy,
    dataBucket: data.bucket,
    dataKey: data.key,
    accessLogs: data.accessLogs,
    stage: 'dev',
    history: {
      retention: { dataDays: 30, manifestDays: 60, ledgerDays: 60 },
      log: { retention: RetentionDays.TWO_WEEKS, removalPolicy },
      schedules: undefined,
    },
    groups,
  });
  Validations.of(app).addPlugins(new SolutionsChecks(app));
  app.synth();
  return Template.fromStack(stack);
}

const tableInputSchema = z.object({
  Name: z.string(),
  TableType: z.string(),
  Parameters: z.record(z.string(), z.unknown()),
  PartitionKeys: z.array(z.object({ Name: z.string(), Type: z.string() })),
  ViewOriginalText: z.string().optional(),
  ViewExpandedText: z.string().optional(),
  StorageDescriptor: z.object({
    Location: z.unknown().optional(),
    Columns: z.array(z.object({ Name: z.string(), Type: z.string(), Comment: z.string() })),
    SerdeInfo: z.looseObject({
      SerializationLibrary: z.string(),
      Parameters: z.record(z.string(), z.string()).optional(),
    }),
  }),
});

/** The properties of a table or view of Glue. */
export const tableSchema = z.object({ TableInput: tableInputSchema });
export type TableInput = z.infer<typeof tableInputSchema>;
