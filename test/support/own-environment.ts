import { devNull } from 'node:os';
import { clockVariables } from '#sandbox/clock-variables.ts';

/* Tests see the same environment wherever they are started. A terminal, a stage or credentials they set themselves. */

/** What finds programs and a place for files, and what lets a program download. */
const SURROUNDINGS =
  /^(?:PATH|HOME|TMPDIR|JAVA_HOME|CHROMIUM|OLD_NODE|PIP_.+|UV_.+|SSL_CERT_.+|MAVEN_.+|.+_proxy|SystemRoot|TEMP|TMP)$/i;
/** What the commands of this repository tell their tests, and how many random cases a person wants. */
const OF_THE_COMMANDS =
  /^(?:VITEST.*|NODE_ENV|TEST|TZ|DAYBOOK_(?:AWS_ENDPOINT|PICTURES|RUNTIME_CLIENT|TRINO)|FAULT_.+|FUZZ_RUNS|HOSTILE_SHAPES_VERBOSE)$/;
/** A debugger of Visual Studio Code enters the processes of the tests by these two. */
const OF_DEBUGGER = ['VSCODE_INSPECTOR_OPTIONS', 'NODE_OPTIONS'];

/** Runs once, before Vitest starts the processes of the tests, which inherit what is left. */
export function setup(): void {
  const { env } = process;
  // Whole runs of tests have another date.
  const ofFaketime = Object.keys(clockVariables());
  const others = env['VSCODE_INSPECTOR_OPTIONS'] === undefined ? ofFaketime : [...ofFaketime, ...OF_DEBUGGER];
  // Continuous integration must not skip a test because a program is missing.
  const skipsNothing = env['CI'] === 'true';
  for (const name of Object.keys(env)) {
    const isKept = SURROUNDINGS.test(name) || OF_THE_COMMANDS.test(name) || others.includes(name);
    if (!isKept) Reflect.deleteProperty(env, name);
  }
  const files = { AWS_CONFIG_FILE: devNull, AWS_SHARED_CREDENTIALS_FILE: devNull };
  Object.assign(env, files, { LANG: 'C.UTF-8', TERM: 'dumb' });
  if (skipsNothing) env['DAYBOOK_TESTS'] = 'all';
}
