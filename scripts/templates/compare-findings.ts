import type { AcceptedFinding } from './accepted-findings.ts';
import type { Finding } from './checkov-report.ts';

function isAccepted({ check, resource }: Finding, accepted: AcceptedFinding): boolean {
  return accepted.check === check && accepted.resources.test(resource);
}

/**
 * What is wrong, in a line each: a finding that nobody accepted, and an entry that accepts nothing any more.
 *
 * @returns no line when all is well
 */
export function compareFindings(
  findings: readonly Finding[],
  accepted: readonly AcceptedFinding[],
): string[] {
  const news = findings
    .filter((finding) => !accepted.some((entry) => isAccepted(finding, entry)))
    .map(({ check, resource, rule }) => `${check} ${resource}: ${rule}`);
  const idle = accepted
    .filter((entry) => !findings.some((finding) => isAccepted(finding, entry)))
    .map(({ check, resources }) => `${check} ${resources.source}: accepted, and no longer found`);
  return [...new Set(news), ...idle];
}
