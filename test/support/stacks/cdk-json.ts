import { readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import * as z from 'zod';

/** What `cdk.json` says. */
export const cdk = z
  .object({ app: z.string(), context: z.record(z.string(), z.unknown()) })
  .parse(JSON.parse(readFileSync(resolve(import.meta.dirname, '../../../cdk.json'), 'utf8')));
