import { readFileSync } from 'node:fs';

/** What a program gets: which day it reads, from where, and the folder that its output goes to. Python reads the same file. */
export interface PeerTask {
  origin: string;
  day: string;
  merchant_code: string;
  username: string;
  password: string;
  access_code: string;
  key: string;
  iv: string;
  invoice_types: string[];
  /** Requests at once. */
  concurrency: number;
  output: string;
}

/** The task in the file that the first argument names. */
export function readTask(): PeerTask {
  return JSON.parse(readFileSync(process.argv[2] ?? '', 'utf8')) as PeerTask;
}
