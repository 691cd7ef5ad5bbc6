import { join, resolve } from 'node:path';
import * as z from 'zod';
import { BUCKET, REGISTRY_KEY } from '#bin/local/configuration.ts';
import { GROUP_NAME } from '#domain/registry/group-schema.ts';
import { MERCHANT_CODE } from '#domain/registry/registry-schema.ts';
import { FUNCTIONS } from '#lib/functions.ts';
import { fileText } from '../files.ts';
import { samplesOf } from '../invoke/samples.ts';
import { isFunctionName } from '../stage/stage-outputs.ts';
import { knownStages } from '../stage/stage-names.ts';

/** Larger files take too long for a key press. Bytes. */
const LARGEST_FILE = 8 * 1024 * 1024;

const registrySchema = z.object({
  merchants: z.array(z.object({ merchantCode: z.string().regex(MERCHANT_CODE) }).catch({ merchantCode: '' })),
  groups: z.array(z.object({ name: z.string().regex(GROUP_NAME) }).catch({ name: '' })).catch([]),
});

/** What is completed of a registry. */
interface Names {
  codes: string[];
  groups: string[];
}

/** The names in a file that is a registry. None when there is no such file. */
function namesIn(file: string): Names {
  try {
    const { merchants, groups } = registrySchema.parse(JSON.parse(fileText(file, LARGEST_FILE) ?? ''));
    return {
      codes: merchants.map(({ merchantCode }) => merchantCode).filter((code) => code !== ''),
      groups: groups.map(({ name }) => name).filter((name) => name !== ''),
    };
  } catch {
    return { codes: [], groups: [] };
  }
}

/** The names of a registry that was pulled, or of the local run. AWS is not asked: that would take seconds. */
function knownNames(words: readonly string[]): Names {
  if (!words.includes('--local')) return namesIn('merchants.json');
  const given = words.indexOf('--directory');
  const directory = given === -1 ? '.local' : (words[given + 1] ?? '.local');
  return namesIn(join(resolve(directory), 's3', BUCKET, REGISTRY_KEY));
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
      return knownNames(words).codes;
    case 'group':
      return knownNames(words).groups;
    case 'period':
      return ['last-month', 'last-week', 'yesterday'];
    case 'day-or-period':
      return ['yesterday', 'today', 'last-week', 'last-month'];
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
