import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { describe, expect, test } from 'vitest';
import { sandboxOfFile } from '#support/plan/running-plan.ts';
import { defined } from '#support/assertions/defined.ts';

const sandbox = sandboxOfFile();
const KEY = 'plan/daily/20261121T030000Z.json';
const SIZE = 60 * 1024 * 1024;
const ITEM = '{"merchantCode":"1","days":["2026-11-20"],"send":true,"scheduledTime":null}';

/** Reads 60 MiB of this text in place of a round's items, with a heap of 256 MB. Returns the outcome. */
async function read(element: string): Promise<string> {
  const body = `[${`${element},`.repeat(SIZE / (element.length + 1))}${element}]`;
  await sandbox().s3.write('plan', KEY, body);
  const { stdout } = await promisify(execFile)(process.execPath, [
    '--max-old-space-size=256',
    new URL('../../support/plan/spoilt-items.worker.ts', import.meta.url).pathname,
    defined(sandbox().environment['AWS_ENDPOINT_URL_S3']),
    'plan',
    KEY,
  ]);
  return stdout;
}

describe('damaged items of a round', () => {
  test.each([
    ['empty members', '{}', 'is not what Daybook writes there: merchantCode: must be string'],
    ['lists in lists', '[[[[', 'has an entry of more than 65536 bytes'],
    ['far too many items', ITEM, 'has more than 50000 items'],
  ])(
    'are refused with an error that names their key, and no function runs out of memory: %s',
    async (_, element, reason) => {
      expect(await read(element)).toBe(`StoredObjectError: object ${KEY} ${reason}`);
    },
    60_000,
  );
});
