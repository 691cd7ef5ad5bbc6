/** One call of a function by the state machine. */
export interface Call {
  functionName: string;
  event: Record<string, unknown>;
}

/** Where an execution runs: its functions and its bucket. */
export interface FanOutWorld {
  /** Runs the function. The state machine sees the name of a thrown error. */
  invoke: (call: Call) => Promise<unknown>;
  read: (key: string) => Promise<string>;
  write: (key: string, text: string) => Promise<void>;
  /** Is called when a Distributed Map begins, with the number of its children. */
  mapBegins?: (label: string, children: number) => MapRunListener;
}

/** Is called with what becomes of a Distributed Map. */
export interface MapRunListener {
  /** The ARN of the map run, for its results. */
  arn: string;
  childBegins: () => void;
  childEnds: (status: ChildEnd['status']) => void;
  /** All children have ended, and the results are written. */
  ends: () => void;
}

/** How an execution ended, and what it did. */
export interface Execution {
  status: 'SUCCEEDED' | 'FAILED';
  output?: unknown;
  error?: string;
  cause?: string;
  /** The states that the parent entered, in their order. */
  entered: string[];
  /** The calls in the order of their start, including failed and retried ones. */
  calls: Call[];
  /** The Distributed Maps, in their order. */
  mapRuns: { label: string; children: ChildEnd[]; mostAtOnce: number; manifestKey: string }[];
  /** The size of the largest input or result, bytes. */
  largestPayload: number;
  /** The most calls at the same time for one merchant. */
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
