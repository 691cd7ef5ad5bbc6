import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { closeSync, mkdirSync, openSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { freePort } from '../ports.ts';
import { TRINO_VERSION, type TrinoInstallation } from './installation/install.ts';
import { UnavailableError } from '../outside-program.ts';

/** Settings for statements over few rows, whose plans cost more than their work. */
const FEW_ROWS = {
  // A plan does not depend on how many rows there are.
  'enable-stats-calculator': false,
  'optimizer.join-reordering-strategy': 'NONE',
  'task.concurrency': 1,
  'task.max-writer-count': 1,
  'task.scale-writers.enabled': false,
  'scale-writers': false,
};

/** Milliseconds. */
const LONGEST_START = 120_000;
/** 1 GB, and a quick start rather than the fastest code. */
const QUICK = ['-Xmx1G', '-XX:TieredStopAtLevel=1', '-XX:+UseSerialGC'];

async function answers(url: string): Promise<boolean> {
  return fetch(`${url}/v1/info`)
    .then((response) => response.text())
    .then(
      (text) => /"starting" *: *false/.test(text),
      () => false,
    );
}

function writeConfiguration(directory: string, plugins: string, port: number): void {
  const settings = {
    'plugin.dir': plugins,
    'node.environment': 'test',
    'node.id': 'lake',
    coordinator: true,
    'node-scheduler.include-coordinator': true,
    'http-server.http.port': port,
    'http-server.log.enabled': false,
    'discovery.uri': `http://127.0.0.1:${port}`,
    // Each lake of the tests makes its own.
    'catalog.management': 'dynamic',
    'catalog.store': 'memory',
    // The memory is 1 GB. So answers that nobody fetches and records of old statements are removed soon.
    'query.min-expire-age': '30s',
    'query.max-history': 50,
    ...FEW_ROWS,
  };
  const lines = Object.entries(settings).map(([name, value]) => `${name}=${value}\n`);
  writeFileSync(join(directory, 'config.properties'), lines.join(''));
  writeFileSync(join(directory, 'log.properties'), 'io.trino=WARN\nio.airlift=WARN\nBootstrap=WARN\n');
}

/**
 * Starts Trino on a free port of 127.0.0.1, without catalogs. It ends with this process at the latest.
 * @param directory for its configuration, data and log; emptied first
 * @throws {UnavailableError} when it does not start; the log is in `directory`
 */
export async function startTrino(installation: TrinoInstallation, directory: string) {
  rmSync(directory, { recursive: true, force: true });
  mkdirSync(directory, { recursive: true });
  const port = await freePort();
  const url = `http://127.0.0.1:${port}`;
  writeConfiguration(directory, join(installation.directory, 'plugin'), port);
  const logFile = join(directory, 'server.log');
  const log = openSync(logFile, 'w');
  const properties = {
    config: join(directory, 'config.properties'),
    'log.levels-file': join(directory, 'log.properties'),
    'node.data-dir': directory,
    'jdk.attach.allowAttachSelf': true,
    'file.encoding': 'UTF-8',
  };
  const began = Date.now();
  const child = spawn(
    installation.java,
    [
      ...QUICK,
      ...Object.entries(properties).map(([name, value]) => `-D${name}=${value}`),
      '-cp',
      `${installation.directory}:${join(installation.directory, 'lib')}/*`,
      'Launcher',
      TRINO_VERSION,
    ],
    { cwd: directory, stdio: ['ignore', log, log] },
  );
  closeSync(log);
  const kill = () => void child.kill('SIGKILL');
  process.once('exit', kill);
  const failed = new Promise<never>((_resolve, reject) => {
    child.once('error', () => reject(new UnavailableError(`${installation.java} cannot be started`)));
  });
  while (!(await Promise.race([failed, answers(url)]))) {
    if (child.exitCode !== null || Date.now() - began > LONGEST_START) {
      kill();
      throw new UnavailableError(`Trino did not start: see ${logFile}`);
    }
    await wait(200);
  }
  const close = async () => {
    process.off('exit', kill);
    if (child.exitCode !== null || child.signalCode !== null) return;
    const exited = once(child, 'exit');
    // Its data is not kept, so it can be killed.
    kill();
    await exited;
  };
  return {
    url,
    close,
  };
}
