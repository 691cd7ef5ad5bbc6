import type { Finding } from './finding.ts';
import type { CheckedStage } from './checked-stage.ts';

/** A check of one thing of a stage, such as one that it needs to send its mails. */
export interface Check {
  /** Short, such as `DMARC`. */
  name: string;
  /** What it checks, such as the name of the identity. */
  looksAt: (checked: CheckedStage) => string;
  /**
   * Makes the check. It has at least one finding: what is fine is a finding, too.
   *
   * @throws any error: then the check could not be made
   */
  look: (checked: CheckedStage) => Promise<Finding[]>;
}
