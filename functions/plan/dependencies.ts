import { buildFunctionDependencies } from '#dependencies/function-dependencies.ts';
import type { FunctionDependencies } from '#dependencies/function-dependencies.ts';
import type { RegistrySource } from '#registry/registry-source.ts';
import { S3RegistrySource } from '#registry/s3-registry-source.ts';
import type { Environment } from '#runtime/environment.ts';
import type { DaySizes, SizesOfDay } from './sizes/day-sizes.ts';
import type { PlanStore } from './store/plan-store.ts';
import { S3PlanStore } from './store/s3-plan-store.ts';
import { S3StatementListings } from './statements/s3-statement-listings.ts';
import type { StatementListings } from './statements/statement-listings.ts';
import { paginateListObjectsV2 } from '@aws-sdk/client-s3';
import type { S3Client } from '@aws-sdk/client-s3';
import type { Day } from '#domain/day/business-day.ts';
import { dataFileInKey, dataPrefix } from '#domain/storage/keys.ts';

function isBefore(code: string, other: string): boolean {
  return `${code}/` < `${other}/`;
}

/**
 * A list of the data files has their bytes: 10,000 merchants are ten requests, and nothing stored gets old.
 */
class S3DaySizes implements DaySizes {
  readonly #s3: S3Client;
  readonly #bucket: string;

  constructor(s3: S3Client, bucket: string) {
    this.#s3 = s3;
    this.#bucket = bucket;
  }

  async of(day: Day, codes: readonly string[]): Promise<SizesOfDay> {
    const [anyCode] = codes;
    const sizes = new Map<string, number>();
    if (anyCode === undefined) return sizes;
    const first = codes.reduce((least, code) => (isBefore(code, least) ? code : least), anyCode);
    const last = codes.reduce((most, code) => (isBefore(most, code) ? code : most), anyCode);
    const prefix = `${dataPrefix('invoices', 'json')}day=${day}/`;
    const pages = paginateListObjectsV2(
      { client: this.#s3 },
      { Bucket: this.#bucket, Prefix: prefix, StartAfter: `${prefix}merchant=${first}` },
    );
    for await (const { Contents = [] } of pages) {
      for (const { Key = '', Size = 0 } of Contents) {
        const merchantCode = dataFileInKey(Key)?.merchantCode;
        if (merchantCode === undefined) continue;
        if (isBefore(last, merchantCode)) return sizes;
        // Several pulls: corrections, and those that never sealed.
        sizes.set(merchantCode, Math.max(Size, sizes.get(merchantCode) ?? 0));
      }
    }
    return sizes;
  }
}

export interface Dependencies extends FunctionDependencies {
  registry: RegistrySource;
  registryKey: string;
  serviceOrigins: readonly string[];
  plans: PlanStore;
  sizes: DaySizes;
  statements: StatementListings;
}

export function buildDependencies(environment: Environment): Dependencies {
  const { s3, ...shared } = buildFunctionDependencies(environment, 'plan');
  const bucket = environment.DATA_BUCKET;
  return {
    ...shared,
    registry: new S3RegistrySource(s3, bucket, environment.REGISTRY_KEY),
    registryKey: environment.REGISTRY_KEY,
    serviceOrigins: environment.SERVICE_ORIGINS,
    plans: new S3PlanStore(s3, bucket),
    sizes: new S3DaySizes(s3, bucket),
    statements: new S3StatementListings(s3, bucket),
  };
}
