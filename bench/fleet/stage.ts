import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { stop } from 'esbuild';
import { build } from '#scripts/build.ts';
import { FUNCTIONS } from '#lib/functions.ts';
import { FUNCTION_HEAP } from '../measure.ts';
import { startChild } from '../child.ts';
import type { Child } from '../child.ts';
import { functionEnvironment, registryOf, secretsOf } from '../world.ts';

/** The sandboxes and the built functions, which all parts of a run share. */
export interface Stage {
  payments: Child;
  aws: Child;
  /** Puts a registry with this number of merchants into the bucket. */
  enroll: (merchants: number) => Promise<void>;
  /** A new process that has loaded one function, with the heap of its memory. */
  environment: (functionName: 'plan' | 'daily-report') => Promise<Child>;
  close: () => Promise<void>;
}

/** Invoices on a page of the service, as it sends them by default. */
const PER_PAGE = 15;
/** The memory size of {@link FUNCTION_HEAP}, MB. */
const HEAP_MEMORY = 512;

function heapOf(memory: number): readonly string[] {
  const [young = '', old = ''] = FUNCTION_HEAP;
  return [young, old.replace(/\d+$/, (size) => String(Math.round((Number(size) * memory) / HEAP_MEMORY)))];
}

/** @param merchants the largest number of merchants */
export async function startStage(merchants: number): Promise<Stage> {
  const directory = mkdtempSync(join(tmpdir(), 'daybook-fleet-'));
  const remove = () => rmSync(directory, { recursive: true, force: true });
  process.once('exit', remove);
  const children: Child[] = [];
  const start = (options: Parameters<typeof startChild>[0]) => {
    const child = startChild(options);
    children.push(child);
    return child;
  };
  const close = async () => {
    await Promise.all(children.map((child) => child.close()));
    process.off('exit', remove);
    remove();
  };
  try {
    const built = await build({ outdir: join(directory, 'functions') });
    await stop();
    const payments = start({ file: 'fleet/payments.worker.ts' });
    const aws = start({ file: 'fleet/aws.worker.ts' });
    const origin = await payments.ask<string>('start', { merchants, perPage: PER_PAGE });
    const environment = functionEnvironment(
      await aws.ask<Record<string, string>>('start'),
      origin,
      directory,
    );
    for (const [name, text] of secretsOf(merchants)) await aws.ask('secret', { name, text });
    return {
      payments,
      aws,
      enroll: (count) =>
        aws.ask('putAll', [{ key: 'config/merchants.json', text: registryOf(count, origin) }]),
      environment: async (functionName) => {
        const { memory } = FUNCTIONS[functionName];
        const child = start({ file: 'fleet/function.worker.ts', environment, execArgv: heapOf(memory) });
        const file = built.find(({ name }) => name === functionName)?.file;
        await child.ask('load', { file, memory });
        return child;
      },
      close,
    };
  } catch (error) {
    await close();
    throw error;
  }
}
