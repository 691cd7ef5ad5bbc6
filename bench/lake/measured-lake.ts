import { readFileSync } from 'node:fs';
import { rm } from 'node:fs/promises';
import { startAwsSandbox } from '#sandbox/aws/index.ts';
import type { AwsSandbox } from '#sandbox/aws/index.ts';
import { TrinoLake } from '#sandbox/trino/index.ts';
import type { TrinoAnswer, TrinoServer } from '#sandbox/trino/index.ts';
import { synthesise } from '#support/stacks/synthesised.ts';
import { fastDirectory } from '../child.ts';
import { BUCKET, FIRST_DAY, TODAY } from './month.ts';

/** Linux counts in hundredths of a second, on every machine of today. */
const MILLISECONDS_A_TICK = 10;
/** User and system time, after the name in brackets, which may hold blanks. */
const USER = 11;
const SYSTEM = 12;

/** The CPU time of a process and all its threads so far, milliseconds. @throws on a system without /proc */
function cpuOfProcess(pid: number): number {
  const text = readFileSync(`/proc/${pid}/stat`, 'utf8');
  const fields = text.slice(text.lastIndexOf(')') + 2).split(' ');
  return (Number(fields[USER]) + Number(fields[SYSTEM])) * MILLISECONDS_A_TICK;
}

export interface Taken {
  /** CPU of the engine's whole process, milliseconds: also planning, lists of objects and garbage collection. */
  cpu: number;
  /** Objects whose bytes were read, each once. */
  objects: number;
  /** How many of these objects are metadata of Iceberg. */
  metadata: number;
  /** How many are files of pages, of which there are more with each merchant. */
  ofPages: number;
  lists: number;
  /** Bytes of data objects that the engine read. */
  bytes: number;
}

export interface Measured extends Taken {
  answer: TrinoAnswer;
}

/** A lake of this bench: an S3 with objects, and the template's tables over them. */
export interface MeasuredLake {
  aws: AwsSandbox;
  /** The name of Glue's database. */
  database: string;
  run: (sql: string) => Promise<Measured>;
  close: () => Promise<void>;
}

/** Opens a lake in an empty S3. The Trino holds one at a time. */
export async function openMeasuredLake({ url, pid }: TrinoServer): Promise<MeasuredLake> {
  const directory = fastDirectory('lake');
  const aws = await startAwsSandbox({ directory });
  const stage = await synthesise('dev', (settings) => {
    settings.lake.firstDay = FIRST_DAY;
  });
  const template: unknown = stage.template('Lake').toJSON();
  const s3Endpoint = aws.environment['AWS_ENDPOINT_URL_S3'] ?? '';
  const lake = await TrinoLake.open({ url, s3Endpoint, bucket: BUCKET, template, today: TODAY });

  async function run(sql: string): Promise<Measured> {
    aws.requests.length = 0;
    const before = cpuOfProcess(pid);
    const answer = await lake.run(sql);
    const cpu = cpuOfProcess(pid) - before;
    const opened = new Set<string>();
    let lists = 0;
    for (const { operation, key = '' } of aws.requests) {
      // The file metastore stands in for Glue. Its own objects are no part of the lake.
      if (!isOfTheLake(key)) continue;
      if (operation === 'GetObject') opened.add(key);
      if (operation === 'ListObjectsV2') lists += 1;
    }
    return {
      answer,
      cpu,
      objects: opened.size,
      metadata: [...opened].filter((key) => key.includes('/metadata/')).length,
      ofPages: [...opened].filter((key) => !key.startsWith('lake/')).length,
      lists,
      bytes: answer.stats.physicalInputBytes,
    };
  }

  return {
    aws,
    database: lake.database,
    run,
    close: async () => {
      await lake.close();
      await aws.close();
      await rm(directory, { recursive: true, force: true });
    },
  };
}

function isOfTheLake(key: string): boolean {
  return /^(?:invoices|refunds|days|mail|changes|lake)\//.test(key);
}
