import type { Writable } from 'node:stream';

/** A stream to a person or a program, such as `process.stdout`. */
export type Stream = Writable & { isTTY?: boolean; columns?: number };

/** What a command has around it: streams, signals and its exit status. Usually `process`. */
export interface Surroundings extends NodeJS.EventEmitter {
  stdin: NodeJS.ReadableStream & { isTTY?: boolean };
  stdout: Stream;
  stderr: Stream;
  exitCode?: number | string | null | undefined;
  exit: (code: number) => never;
}
