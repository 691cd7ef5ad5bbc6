import * as z from 'zod';

interface Finding {
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

/**
 * The findings in what `checkov --output json` prints, over the templates of one framework.
 *
 * @throws {Error} when checkov could not read a template, or prints something else
 */
export function readReport(text: string): { findings: Finding[]; resources: number } {
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

/** A line each: a finding that nobody accepted, and an entry that accepts nothing any more. None when all is well. */
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

export interface AcceptedFinding {
  check: string;
  /** Which resources: matches `Finding.resource`, such as `Data AWS::S3::Bucket AccessLogs8B620ECA`. */
  resources: RegExp;
  reason: string;
}

const EVERY_FUNCTION = /^Functions AWS::Lambda::Function /;

/** What was looked at and accepted. An entry without a finding must go. */
export const ACCEPTED: readonly AcceptedFinding[] = [
  {
    check: 'CKV_AWS_18', // access logging of a bucket
    resources: /^Data AWS::S3::Bucket AccessLogs/,
    reason: 'It holds the access logs. A log of its own would log every log that is written.',
  },
  {
    check: 'CKV_AWS_21', // versioning of a bucket
    resources: /^Data AWS::S3::Bucket AccessLogs/,
    reason: 'S3 writes each log once, under a name of its own. Nothing overwrites one.',
  },
  {
    check: 'CKV_AWS_21', // versioning of a bucket
    resources: /^Lake AWS::S3::Bucket Results/,
    reason:
      'Results of queries go after days and can be had again. A version would keep what was to be forgotten.',
  },
  {
    check: 'CKV_AWS_27', // a key of KMS for a queue
    resources: /^Functions AWS::SQS::Queue /,
    reason: 'SQS encrypts it with a key of its own; checkov knows only keys of KMS.',
  },
  {
    check: 'CKV_AWS_115', // reserved concurrency of a function
    resources: EVERY_FUNCTION,
    reason:
      'The queues bound how many run at once. A reserve would take from the account what other functions need, ' +
      'and a new account has too little for one.',
  },
  {
    check: 'CKV_AWS_116', // dead-letter queue of a function
    resources: /^Functions AWS::Lambda::Function (dailyreport|statement|alertcheck)Function/,
    reason:
      'Its messages have a queue with a dead-letter queue, and a person who calls it waits for its answer. Lambda uses the ' +
      'one of a function only for asynchronous calls.',
  },
  {
    check: 'CKV_AWS_117', // a function in a VPC
    resources: EVERY_FUNCTION,
    reason:
      'It calls only public endpoints: the payment service and AWS. A VPC has nothing for it, and needs a NAT gateway or ' +
      'an endpoint for each service.',
  },
  {
    check: 'CKV_AWS_158', // a key of KMS for a log group
    resources: / AWS::Logs::LogGroup /,
    reason:
      'CloudWatch encrypts every log with a key of its own. No secret and no customer is in a log (SECURITY.md, "A reader of ' +
      'logs, answers and queues").',
  },
  {
    check: 'CKV_AWS_173', // a key of KMS for the environment of a function
    resources: EVERY_FUNCTION,
    reason:
      'Lambda encrypts it with a key of its own. It holds names and addresses of the operators, and no secret.',
  },
];
