import { execFileSync } from 'node:child_process';
import { devNull } from 'node:os';
import { join } from 'node:path';

const MODULE = join(import.meta.dirname, 'support/own-environment.ts');

/** The variables that tests get where somebody starts them with these. */
function left(given: Record<string, string>): unknown {
  const program = `(await import(${JSON.stringify(MODULE)})).setup(); console.log(JSON.stringify(process.env))`;
  const printed = execFileSync(process.execPath, ['--input-type=module', '-e', program], {
    encoding: 'utf8',
    env: given,
  });
  return JSON.parse(printed);
}

it('tests get none of the variables of the person or machine that starts them', () => {
  const files = { AWS_CONFIG_FILE: devNull, AWS_SHARED_CREDENTIALS_FILE: devNull };
  const always = { PATH: '/bin', HOME: '/home/noura', LANG: 'C.UTF-8', TERM: 'dumb', ...files };
  const surroundings = { PATH: '/bin', HOME: '/home/noura' };
  expect(left(surroundings)).toEqual(always);
  expect(
    left({
      ...surroundings,
      ...{ AWS_PROFILE: 'work', AWS_REGION: 'me-south-1', AWS_CONFIG_FILE: '/home/noura/config' },
      ...{ DAYBOOK_STAGE: 'prod', DAYBOOK_TEST_RESULTS: 'results.json', NODE_OPTIONS: '--no-warnings' },
      ...{ NODE_DEBUG_NATIVE: '', NODE_COMPILE_CACHE: '/tmp/none', NODE_ENV: 'test', VITEST: 'true' },
      ...{ CI: 'true', TERM: 'xterm', COLUMNS: '40', FORCE_COLOR: '1', NO_COLOR: '1', LANG: 'ar_KW' },
      ...{ LC_ALL: 'C', FUZZ_RUNS: '7', npm_config_loglevel: 'silent' },
    }),
  ).toEqual({ ...always, NODE_ENV: 'test', VITEST: 'true', FUZZ_RUNS: '7', DAYBOOK_TESTS: 'all' });
});

it('a debugger, a shifted date and what a download needs reach tests', () => {
  const kept = {
    VSCODE_INSPECTOR_OPTIONS: '{}',
    NODE_OPTIONS: '--no-warnings',
    FAKETIME: '+1d',
    TZ: 'Asia/Kuwait',
    SSL_CERT_FILE: '/etc/ssl/own.crt',
    UV_HTTP_TIMEOUT: '300',
  };
  expect(left(kept)).toMatchObject(kept);
});
