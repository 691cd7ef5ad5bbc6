import { join } from 'node:path';
import { FUNCTION_HEAP } from '../measure.ts';

/** A program of the comparison. */
export interface Peer {
  name: string;
  /** Whether it needs the Python packages of `requirements.txt`. */
  python: boolean;
  /** Program and arguments, before and after the task's file. */
  command: (places: Places) => { before: string[]; after: string[] };
  /** Which files of its output have its invoices, relative to its folder or to its bucket. */
  rows: { in: 'folder' | 'bucket'; pattern: string };
  /** What Daybook does and this one does not. */
  leavesOut: string;
}

/** Where the programs are. */
export interface Places {
  /** The Python of the virtual environment. */
  python: string;
  /** The bundled programs of this folder. */
  programs: { daybook: string; nodeLoop: string };
  /** The built function. */
  dailyReport: string;
}

const NO_PROOF = 'proof and mail';

/** What all but Daybook leave out. */
export const PROOF_AND_MAIL =
  'Proof and mail: checks against the contract and the totals, digests, the seal, a second run that finds the day unchanged, the report.';

function daybook(name: string, execArgv: readonly string[], leavesOut: string): Peer {
  return {
    name,
    python: false,
    command: ({ programs, dailyReport }) => ({
      before: [process.execPath, ...execArgv, programs.daybook],
      after: [dailyReport],
    }),
    rows: { in: 'bucket', pattern: 'invoices/json/**/*.gz' },
    leavesOut,
  };
}

function nodeLoop(how: 'fetch' | 'http'): Peer {
  return {
    name: how === 'fetch' ? 'Node loop, fetch' : 'Node loop, node:http',
    python: false,
    command: ({ programs }) => ({
      before: [process.execPath, ...FUNCTION_HEAP, programs.nodeLoop],
      after: [how],
    }),
    rows: { in: 'bucket', pattern: 'invoices.json.gz' },
    leavesOut: `${NO_PROOF}; retries`,
  };
}

function pythonProgram(name: string, file: string, pattern: string, leavesOut: string): Peer {
  return {
    name,
    python: true,
    command: ({ python }) => ({ before: [python, join(import.meta.dirname, 'programs', file)], after: [] }),
    rows: { in: 'folder', pattern },
    leavesOut,
  };
}

/** All programs. The first is what the others are held against. */
export const PEERS: readonly Peer[] = [
  daybook('Daybook', FUNCTION_HEAP, ''),
  daybook('Daybook, free heap', [], 'the limit of 512 MB'),
  nodeLoop('fetch'),
  nodeLoop('http'),
  pythonProgram('aiohttp loop', 'aiohttp_loop.py', 'invoices.json.gz', `${NO_PROOF}; retries; S3`),
  pythonProgram('dlt', 'dlt_pipeline.py', 'files/daybook/invoices/*.jsonl*', `${NO_PROOF}; CSV; S3`),
  pythonProgram('airbyte-cdk', 'airbyte_source.py', 'stdout', `${NO_PROOF}; CSV; S3; compression`),
  pythonProgram(
    'singer-sdk',
    'singer_tap.py',
    'stdout',
    `${NO_PROOF}; CSV; S3; compression; requests at once`,
  ),
];
