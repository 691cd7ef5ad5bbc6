import { createHash } from 'node:crypto';
import { copyFile, mkdir, readFile, rm, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { UnavailableError, run } from '../outside-program.ts';

const CLIENT = join(import.meta.dirname, 'client');
const MANIFESTS = ['package.json', 'package-lock.json'];

/** Its own script compiles curl, too, which takes more than a minute; here it gets this machine's curl. */
async function compile(directory: string): Promise<void> {
  const client = join(directory, 'node_modules/aws-lambda-ric');
  const runtime = join(directory, 'aws-lambda-cpp');
  await mkdir(runtime, { recursive: true });
  await run('tar', ['xf', join(client, 'deps/aws-lambda-cpp.tar.xz'), '-C', runtime], directory);
  const version = await readFile(join(runtime, 'src/version.cpp.in'), 'utf8');
  await writeFile(join(runtime, 'src/version.cpp'), version.replaceAll(/@PROJECT_VERSION\w*@/g, '0'));
  const includes = [
    join(runtime, 'include'),
    join(dirname(process.execPath), '../include/node'),
    join(directory, 'node_modules/node-addon-api'),
  ];
  const sources = ['runtime.cpp', 'logging.cpp', 'version.cpp'].map((name) => join(runtime, 'src', name));
  await run(
    'g++',
    [
      '-std=c++20',
      '-fPIC',
      '-shared',
      '-DNAPI_CPP_EXCEPTIONS',
      ...includes.map((folder) => `-I${folder}`),
      join(client, 'src/native/rapid-client.cc'),
      ...sources,
      '-lcurl',
      '-o',
      join(client, 'rapid-client.node'),
    ],
    directory,
  );
}

/**
 * The client of Lambda's Node runtime (`aws-lambda-ric`), installed and compiled once. Needs Linux, xz, g++ and the headers
 * of curl.
 * @param directory where it stays; it is replaced when another version or another Node is wanted
 * @returns the program, for Node
 * @throws {UnavailableError} when it cannot be installed or compiled
 */
export async function installRuntimeClient(directory: string): Promise<string> {
  const program = join(directory, 'node_modules/aws-lambda-ric/index.mjs');
  const hash = createHash('sha256').update(process.version);
  for (const file of [...MANIFESTS.map((name) => join(CLIENT, name)), import.meta.filename])
    hash.update(await readFile(file));
  const wanted = hash.digest('hex');
  // Written last, so that an interrupted installation does not count as complete.
  const mark = join(directory, 'installed');
  if ((await readFile(mark, 'utf8').catch(() => '')) === wanted) return program;

  if (process.platform !== 'linux') throw new UnavailableError('it only runs on Linux');
  await rm(directory, { recursive: true, force: true });
  await mkdir(directory, { recursive: true });
  for (const name of MANIFESTS) await copyFile(join(CLIENT, name), join(directory, name));
  await run('npm', ['ci', '--ignore-scripts', '--no-audit', '--no-fund'], directory);
  await compile(directory);
  await writeFile(mark, wanted);
  return program;
}
