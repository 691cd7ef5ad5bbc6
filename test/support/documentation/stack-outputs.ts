import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import * as z from 'zod';
import { ROOT } from './claims.ts';

const templateSchema = z.object({ Outputs: z.record(z.string(), z.unknown()).default({}) });
/** CDK makes these outputs for references between stacks. */
const OF_CDK = /^(Exports|Publish)Output/;

/** The outputs that only `dev` has. */
function outputsOfDev(): string[] {
  const text = readFileSync(join(ROOT, 'test/stacks/snapshots/dev.json'), 'utf8');
  const different = z.record(z.string(), z.unknown()).parse(JSON.parse(text));
  return Object.keys(different).flatMap((path) => {
    const [stack = '', , name = ''] = /^\w+ Outputs \w+$/.test(path) ? path.split(' ') : [];
    return name === '' ? [] : [`${stack} ${name}`];
  });
}

/** The outputs that the stacks have for people and commands, in any recorded stage: `Data BucketName`. */
export function stackOutputs(): string[] {
  const ofProd = ['Data', 'Mail', 'Functions', 'Schedules', 'Lake', 'Access'].flatMap((stack) => {
    const file = join(ROOT, 'test/stacks/snapshots/prod', `${stack}.json`);
    const { Outputs } = templateSchema.parse(JSON.parse(readFileSync(file, 'utf8')));
    const names = Object.keys(Outputs).filter((name) => !OF_CDK.test(name));
    return names.map((name) => `${stack} ${name}`);
  });
  return [...new Set([...ofProd, ...outputsOfDev()])];
}
