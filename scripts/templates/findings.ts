import * as z from 'zod';
import type { AcceptedFinding } from './accepted-findings.ts';

/** A rule of checkov that a resource of a template breaks. */
export interface Finding {
  check: string;
  /** Stack, type and logical id, such as `Data AWS::S3::Bucket AccessLogs8B620ECA`. */
  resource: string;
  rule: string;
}

const reportSchema = z.object({
  results: z.object({
    failed_checks: z.array(
      z.object({
        check_id: z.string(),
        check_name: z.string(),
        file_path: z.string(),
        /** Type and logical id with a dot between them. */
        resource: z.string(),
      }),
    ),
  }),
  summary: z.object({ parsing_errors: z.int(), resource_count: z.int() }),
});

export interface CheckovReport {
  findings: Finding[];
  resources: number;
}

/**
 * The findings in what `checkov --output json` prints, over the templates of one framework.
 *
 * @throws {Error} when checkov could not read a template, or prints something else
 */
export function readReport(text: string): CheckovReport {
  const { results, summary } = reportSchema.parse(JSON.parse(text));
  if (summary.parsing_errors > 0) throw new Error(`checkov could not read ${summary.parsing_errors} files`);
  const findings = results.failed_checks.map(({ check_id: check, check_name: rule, file_path, resource }) => {
    const stack = /-(\w+)\.template\.json$/.exec(file_path)?.[1] ?? file_path;
    return { check, rule, resource: `${stack} ${resource.replace('.', ' ')}` };
  });
  return { findings, resources: summary.resource_count };
}

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
