import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { rmSync } from 'node:fs';
import { join } from 'node:path';
import { UnavailableError } from '#sandbox/outside-program.ts';

const ROOT = join(import.meta.dirname, '..');

export interface ToolRun {
  /** Says what was done, and how long after the beginning. */
  report: (line: string) => void;
  /** Runs Vitest, which gets the parameters and these variables. @returns its exit status */
  vitest: (parameters: readonly string[], variables: Readonly<Record<string, string>>) => Promise<number>;
}

/**
 * A script that needs a tool of others. It prints its usage for `-h` and `--help`. Without the tool, continuous integration
 * (`CI=true`) fails; elsewhere the script says what is skipped.
 *
 * @param name what its lines begin with, such as `trino`; the results of Vitest are in `.local/<name>-results.json`
 * @param skipped what does not happen without the tool, as a sentence without its end
 * @param run gives the exit status
 */
export async function withTool(
  { name, usage, skipped }: { name: string; usage: string; skipped: string },
  run: (tool: ToolRun) => Promise<number>,
): Promise<void> {
  if (['-h', '--help'].includes(process.argv[2] ?? '')) {
    process.stdout.write(usage);
    return;
  }
  const began = Date.now();
  const report = (line: string) =>
    console.log(`${name}: ${line} after ${((Date.now() - began) / 1_000).toFixed(1)} s`);
  const results = `.local/${name}-results.json`;
  rmSync(join(ROOT, results), { force: true });
  const vitest: ToolRun['vitest'] = async (parameters, variables) => {
    const program = join(ROOT, 'node_modules/vitest/vitest.mjs');
    const child = spawn(process.execPath, [program, 'run', ...parameters], {
      cwd: ROOT,
      stdio: 'inherit',
      env: { ...process.env, ...variables, DAYBOOK_TEST_RESULTS: results },
    });
    process.once('exit', () => child.kill());
    await once(child, 'exit');
    return child.exitCode ?? 1;
  };
  try {
    process.exitCode = await run({ report, vitest });
  } catch (error) {
    if (!(error instanceof UnavailableError)) throw error;
    const isOptional = process.env['CI'] !== 'true';
    console.error(`${name}: ${error.message}`);
    console.error(
      isOptional
        ? `${name}: SKIPPED. ${skipped}; continuous integration (CI=true) would fail here.`
        : `${name}: FAILED. ${skipped}, and continuous integration must not skip it.`,
    );
    process.exitCode = isOptional ? 0 : 1;
  }
}
