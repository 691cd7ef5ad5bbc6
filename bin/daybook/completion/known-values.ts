import { readFileSync, statSync } from 'node:fs';
import { join, resolve } from 'node:path';
import * as z from 'zod';
import { BUCKET, REGISTRY_KEY } from '#bin/local/configuration.ts';
import { MERCHANT_CODE } from '#domain/registry/registry-schema.ts';
import { FUNCTIONS } from '#lib/functions.ts';
import { samplesOf } from '../invoke/samples.ts';
import { isFunctionName } from '../stage/stage-outputs.ts';
import { knownStages } from '../stage/stage-names.ts';

/** Larger files take too long for a key press. Bytes. */
const LARGEST_FILE = 8 * 1024 * 1024;

const registrySchema = z.object({
  merchants: z.array(z.object({ merchantCode: z.string().regex(MERCHANT_CODE) }).catch({ merchantCode: '' })),
});

/** The codes in a file that is a registry. Nothing when there is no such file. */
function codesIn(file: string): string[] {
  try {
    if (statSync(file).size > LARGEST_FILE) return [];
    const { merchants } = registrySchema.parse(JSON.parse(readFileSync(file, 'utf8')));
    return merchants.map(({ merchantCode }) => merchantCode).filter((code) => code !== '');
  } catch {
    return [];
  }
}

/** The merchants of a registry that was pulled, or of the local run. AWS is not asked: that would take seconds. */
function knownCodes(words: readonly string[]): string[] {
  if (!words.includes('--local')) return codesIn('merchants.json');
  const given = words.indexOf('--directory');
  const directory = given === -1 ? '.local' : (words[given + 1] ?? '.local');
  return codesIn(join(resolve(directory), 's3', BUCKET, REGISTRY_KEY));
}

/**
 * The values that are known of an argument or an option, by what its declaration calls them.
 *
 * @param operands the arguments before it
 * @param words all words before it
 */
export function knownValues(name: string, operands: readonly string[], words: readonly string[]): string[] {
  switch (name) {
    case 'stage':
      return knownStages();
    case 'code':
    case 'codes':
      return knownCodes(words);
    case 'day':
      return ['yesterday', 'today'];
    case 'function':
      return Object.keys(FUNCTIONS);
    case 'event': {
      const [functionName = ''] = operands;
      return isFunctionName(functionName) ? samplesOf(functionName).map((sample) => sample.name) : [];
    }
    default:
      return [];
  }
}
