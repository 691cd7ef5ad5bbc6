import type { Finding } from './finding.ts';
import type { Patient } from './patient.ts';

/** One thing that stands between a stage and its mails. */
export interface Check {
  /** Short, such as `DMARC`. */
  name: string;
  /** What it looks at, such as the name of the identity. */
  looksAt: (patient: Patient) => string;
  /**
   * Looks. No finding is never returned: what is fine is said, too.
   *
   * @throws any error: then it could not be looked at
   */
  look: (patient: Patient) => Promise<Finding[]>;
}
