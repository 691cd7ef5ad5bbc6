import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { EnvironmentError, readEnvironment } from '#registry/environment.ts';
import { dropIdleConnections } from '#runtime/aws-clients.ts';
import { systemClock } from '#runtime/clock.ts';
import { builtAtFirstEvent } from '#runtime/lambda-handler.ts';
import { Telemetry } from '#runtime/telemetry.ts';
import { Athena, createAthenaClient } from './athena.ts';
import { createLake } from './create-lake.ts';
import { SETTINGS_FILE, lakeSettingsSchema } from './lake-settings.ts';
import { historyWorkGroup, lakeDatabase } from './sql/lake-database.ts';

function start() {
  const { data, log, registry, stage = '' } = readEnvironment(process.env);
  const file = join(import.meta.dirname, SETTINGS_FILE);
  if (!existsSync(file))
    throw new EnvironmentError(`${SETTINGS_FILE} is missing: only a deploy puts it beside the code`);
  const settings = lakeSettingsSchema.parse(JSON.parse(readFileSync(file, 'utf8')));
  const database = lakeDatabase(stage);
  const clock = systemClock;
  const client = createAthenaClient();
  const athena = new Athena({ client, clock, database, workGroup: historyWorkGroup(database) });
  const telemetry = new Telemetry('lake', log.level);
  telemetry.atBegin(dropIdleConnections);
  telemetry.atBegin((remaining) => {
    athena.begin(remaining);
  });
  const { bucket } = data;
  // The clients of S3 and the registry are half of a cold start, and most invocations end before they need them.
  const registered = async () => {
    const { createS3Client } = await import('#runtime/s3-client.ts');
    const { RegisteredMerchants } = await import('./registered-merchants.ts');
    const { RegistrySource } = await import('#registry/registry-source.ts');
    const s3 = createS3Client();
    return new RegisteredMerchants(s3, bucket, new RegistrySource(s3, bucket, registry.key));
  };
  const merchants = {
    keep: async (now: number) => (await registered()).keep(now),
    forget: async (merchantCode: string) => (await registered()).forget(merchantCode),
  };
  return createLake({ athena, clock, telemetry, settings, merchants, bucket, database });
}

export const handler = builtAtFirstEvent(start);
