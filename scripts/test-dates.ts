import { spawn, spawnSync } from 'node:child_process';
import { join } from 'node:path';
import { readArguments } from './command-line.ts';
import { PARTS, SHIFTS, partOfDay, secondsAhead, shiftOfDay } from './shifted-date.ts';
import type { Shift } from './shifted-date.ts';

/*
 * Runs tests under another date, with Debian's `faketime`. It changes the date for a process and all its children. Waits
 * and measured times are not changed. A process that a test starts with its own environment also gets faketime's
 * variables (sandbox/clock-variables.ts). The kernel stamps files, so they have the machine's date.
 */

const ROOT = join(import.meta.dirname, '..');
const RESULTS = '.local/dates-results.json';

const USAGE = `Runs tests under another date.

  npm run test:dates -- [shift] [files] [--all] [--zone <zone>]

  shift          distance from now: +1d, -3h, +90m; or a moment: 2028-02-29T12:00:00Z.
                 Default: one of these, each day another:
${SHIFTS.map(({ to, why }) => `                   ${to.padEnd(22)}${why}`).join('\n')}
  files          run only test files whose paths contain one of these, of every project;
                 default: a third of what \`npm test\` runs, another third each day, without
                 test/bin/daybook/*.test.ts
  --all          run all five fifths
  --zone <zone>  the machine's time zone during the run, such as Europe/Berlin
  -h, --help     show this text

Exit status: that of the tests; 2 for a wrong option, or if faketime is missing.
`;

interface Wish {
  shift: Shift;
  files: string[];
  /** Whether to run every part of the everyday files. */
  all: boolean;
}

/** @throws {RangeError} for a zone that is none */
function readWish(): Wish {
  const given = readArguments(USAGE, { all: { type: 'boolean' }, zone: { type: 'string' } });
  const { all = false, zone } = given.values;
  const [to, ...files] = given.positionals;
  const known = SHIFTS.find((shift) => shift.to === to);
  const shift = to === undefined ? shiftOfDay(Date.now()) : (known ?? { to, why: 'as asked for' });
  if (zone !== undefined) new Intl.DateTimeFormat('en', { timeZone: zone });
  return { shift: zone === undefined ? shift : { ...shift, zone }, files, all };
}

/** @throws {RangeError} for a shift that is none */
async function run({ shift, files, all }: Wish): Promise<number> {
  const seconds = secondsAhead(shift.to, Date.now());
  if (spawnSync('faketime', ['--version']).error !== undefined) {
    console.error('dates: faketime is missing: apt-get install faketime (Debian, Ubuntu)');
    return 2;
  }
  const date = new Date(Date.now() + seconds * 1_000).toISOString();
  const zone = shift.zone === undefined ? '' : `, in the zone ${shift.zone}`;
  console.log(`dates: the tests begin on ${date}${zone} (${shift.to}: ${shift.why})`);
  const vitest = join(ROOT, 'node_modules/vitest/vitest.mjs');
  // The command's tests start many processes, each of which is slow with a shifted clock: name them to run them.
  const everyday = [
    '--project',
    'unit',
    '--project',
    'integration',
    '--exclude',
    'test/bin/daybook/*.test.ts',
    ...(all ? [] : [`--shard=${partOfDay(Date.now())}/${PARTS}`]),
  ];
  const chosen = files.length > 0 ? files : everyday;
  // A distance, even for a moment: then every process has the same date, whenever it begins.
  const distance = `${seconds < 0 ? '-' : '+'}${Math.abs(seconds)}s`;
  const child = spawn('faketime', ['-f', distance, process.execPath, vitest, 'run', ...chosen], {
    cwd: ROOT,
    stdio: 'inherit',
    env: {
      ...process.env,
      ...(shift.zone !== undefined && { TZ: shift.zone }),
      // Waits and measured times use the machine's clock.
      DONT_FAKE_MONOTONIC: '1',
      FAKETIME_DONT_FAKE_MONOTONIC: '1',
      DAYBOOK_TEST_RESULTS: RESULTS,
    },
  });
  const code = await new Promise<number | null>((resolve, reject) => {
    child.once('error', reject).once('close', resolve);
  });
  console.log(`dates: the tests began on ${date}${zone}`);
  return code ?? 1;
}

try {
  process.exitCode = await run(readWish());
} catch (error) {
  if (!(error instanceof RangeError)) throw error;
  console.error(`dates: ${error.message}`);
  process.exitCode = 2;
}
