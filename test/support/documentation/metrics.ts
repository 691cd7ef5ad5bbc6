import { globSync } from 'node:fs';
import { basename, dirname } from 'node:path';
import { ROOT } from './claims.ts';
import { namesIn } from './markdown.ts';
import { textOf } from './documents.ts';

/** The names of metrics that a README of a function gives: in the paragraph with its dimension, and in its tables of events. */
function metricsIn(text: string): string[] {
  const paragraph = text.split('\n\n').find((part) => /\bdimension `service=/.test(part)) ?? '';
  const events = [...text.matchAll(/\| `(Events[A-Z]\w+)`\s*\|$/gm)].map(([, name = '']) => name);
  const named = namesIn(paragraph).filter((name) => /^([A-Z][a-z]+){2,}$/.test(name));
  return [...new Set([...named, ...events])];
}

/** Every metric of every function, such as `plan DueMerchants`, by the functions' READMEs. */
export function metricsOfReadmes(): string[] {
  return globSync('functions/**/README.md', { cwd: ROOT }).flatMap((path) =>
    metricsIn(textOf(path)).map((metric) => `${basename(dirname(path))} ${metric}`),
  );
}

/** The names of all metrics that the code counts, by its text: `count(…)`, and tables named `…METRICS`. */
export function metricsOfTheCode(): string[] {
  const found = globSync('functions/**/*.ts', { cwd: ROOT }).flatMap((path) => {
    const source = textOf(path);
    const counts = [...source.matchAll(/\bcount\(([^)]*)\)/g)].map(([, parameters = '']) => parameters);
    const tables = [...source.matchAll(/METRICS[^=]*= \{([^}]*)\}/g)].map(([, table = '']) => table);
    return [...counts, ...tables].flatMap((text) => [...text.matchAll(/'([A-Z]\w+)'/g)]);
  });
  return [...new Set(found.map(([, name = '']) => name))];
}
