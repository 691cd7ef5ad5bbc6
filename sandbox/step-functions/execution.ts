/** One call of a function, as the state machine makes it. */
export interface Call {
  functionName: string;
  event: Record<string, unknown>;
}

/** Where an execution runs: its functions and its bucket. */
export interface FanOutWorld {
  /** Runs the function; what it throws, the state machine gets by its name. */
  invoke: (call: Call) => Promise<unknown>;
  read: (key: string) => Promise<string>;
  write: (key: string, text: string) => Promise<void>;
}

/** How an execution ended, and what it took. */
export interface Execution {
  status: 'SUCCEEDED' | 'FAILED';
  output?: unknown;
  error?: string;
  cause?: string;
  /** States that the parent entered, in their order. */
  entered: string[];
  /** Calls in the order of their beginning, those that failed and were retried included. */
  calls: Call[];
  /** Distributed Maps, in their order. */
  mapRuns: { label: string; children: ChildEnd[]; mostAtOnce: number; manifestKey: string }[];
  /** The largest of all inputs and results, bytes. */
  largestPayload: number;
  /** The most calls that one merchant had under way at once. */
  mostCallsOfAMerchant: number;
}

/** How one child of a Distributed Map ended. */
export interface ChildEnd {
  status: 'SUCCEEDED' | 'FAILED';
  input: unknown;
  output?: unknown;
  error?: string;
  cause?: string;
}
