import { COMMAND_NAMES, ownRights, policyOf, type CommandRight } from '#lib/command-rights.ts';
import { FUNCTIONS, REGISTRY } from '#lib/functions.ts';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { markdownTable } from 'markdown-table';
import { expect, it } from 'vitest';
import { ROOT } from '#support/documentation/claims.ts';

const ALL_FUNCTIONS = Object.keys(FUNCTIONS).map((name) => `function/${name}`);

/** The keys of the bucket that an action is allowed on. */
function keysOf(rights: readonly CommandRight[], action: string): string {
  const keys = rights.flatMap((right) =>
    right.action === action && right.on.startsWith('data/') ? [right.on.slice('data/'.length)] : [],
  );
  const hasRegistry = keys.some((key) => REGISTRY.includes(key));
  const others = keys.filter((key) => !REGISTRY.includes(key)).map((key) => `\`${key}\``);
  return [...(hasRegistry ? ['registry'] : []), ...others].join(', ');
}

function placesOf(rights: readonly CommandRight[]): string {
  const names = rights.map(({ on }) => on);
  const isEvery = ALL_FUNCTIONS.every((name) => names.some((on) => on === name));
  if (isEvery) return 'every function';
  return names
    .map((on) => (on.startsWith('function/') ? `\`${on.slice('function/'.length)}\`` : on))
    .join(', ');
}

/** The calls that are not on objects, such as `sqs:StartMessageMoveTask` on dead-letter queues. */
function otherCalls(rights: readonly CommandRight[]): string {
  const byAction = Map.groupBy(
    rights.filter(({ action, on }) => action === 's3:GetObjectVersion' || !on.startsWith('data/')),
    ({ action }) => action,
  );
  const byPlace = Map.groupBy(byAction, ([, same]) => placesOf(same));
  return [...byPlace]
    .map(([place, calls]) => {
      const actions = calls.map(([action, same]) => {
        const only = same.some((right) => right.operatorsOnly) ? ' (`Operators`)' : '';
        return `\`${action}\`${only}`;
      });
      return `${place}: ${actions.join(', ')}`;
    })
    .join('; ');
}

/** A row for each command: its name, the smaller policy that is enough, the objects that it reads, writes and removes, other calls. */
function rightsRows(): string[][] {
  return COMMAND_NAMES.map((command) => {
    const rights = ownRights(command);
    const objects = ['s3:GetObject', 's3:PutObject', 's3:DeleteObject'].map((action) =>
      keysOf(rights, action),
    );
    return [`\`${command}\``, `\`${policyOf(command)}\``, ...objects, otherCalls(rights)];
  });
}

const FILE = join(ROOT, 'docs/rights.md');
const HEADING = ['command', 'policy', 'reads', 'writes', 'removes', 'other calls'];

// `vitest run test/documentation/rights -u` writes the table anew.
it('docs/rights.md lists every command with exactly the calls that the policies allow', async () => {
  const [words = ''] = readFileSync(FILE, 'utf8').split(/^\| command/m);
  await expect(`${words}${markdownTable([HEADING, ...rightsRows()])}\n`).toMatchFileSnapshot(FILE);
});
