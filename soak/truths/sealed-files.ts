import { createHash } from 'node:crypto';
import type { DataFile, Manifest } from '#domain/revision/manifest.ts';
import type { BrokenPromise } from './broken-promise.ts';
import { linesOf } from './evidence.ts';
import type { Evidence } from './evidence.ts';

type Objects = Pick<Evidence, 'objects'>;

function faultOf(evidence: Objects, { key, bytes, sha256, rows, format }: DataFile): string | undefined {
  const body = evidence.objects.get(key);
  if (body === undefined) return `${key} is sealed but missing`;
  if (body.length !== bytes) return `${key} has ${body.length} bytes, sealed with ${bytes}`;
  if (createHash('sha256').update(body).digest('hex') !== sha256)
    return `${key} is not the file that was sealed`;
  const lines = linesOf(evidence, key).length - (format === 'csv' ? 1 : 0);
  return lines === rows ? undefined : `${key} has ${lines} rows, sealed with ${rows}`;
}

/** Revisions are numbered without gaps. Each has its own files, unchanged since it was sealed. */
export function sealedFiles(evidence: Pick<Evidence, 'objects' | 'days'>): BrokenPromise[] {
  const owners = new Map<string, Manifest>();
  return [...evidence.days.values()].flatMap((manifests) =>
    manifests.flatMap((manifest, index): BrokenPromise[] => {
      const { merchantCode, day, revision } = manifest;
      const broken = (what: string) => ({ merchantCode, day, what: `revision ${revision}: ${what}` });
      const gap = revision === index + 1 ? [] : [broken(`is number ${index + 1} in the list`)];
      const files = manifest.files.flatMap((file) => {
        const isShared = owners.has(file.key);
        owners.set(file.key, manifest);
        const fault = isShared ? `${file.key} also belongs to another revision` : faultOf(evidence, file);
        return fault === undefined ? [] : [broken(fault)];
      });
      return [...gap, ...files];
    }),
  );
}
