import type { MeasuredMerge, Written } from './month.ts';
import type { MeasuredQuestion } from './measured-questions.ts';
import type { Settings } from './settings.ts';
import type { MeasuredYear } from './year.ts';

/** A table of the history as it stands at the end. */
export interface HistorySize {
  table: string;
  dataFiles: number;
  rows: number;
  /** Bytes of data files. */
  bytes: number;
}

/** All measurements of a run, as `--json` writes them. */
export interface Results {
  settings: Settings;
  /** ISO 8601, UTC. */
  at: string;
  machine: string;
  written: Written;
  merges: MeasuredMerge[];
  history: HistorySize[];
  questions: MeasuredQuestion[];
  year: MeasuredYear | undefined;
}
