import { describe, expect, it } from 'vitest';
import { readReport } from '#scripts/templates/checkov-report.ts';

/** What checkov 3.3 prints, without members that nobody reads. */
function printed(parsingErrors = 0): string {
  return JSON.stringify({
    check_type: 'cloudformation',
    results: {
      failed_checks: [
        {
          check_id: 'CKV_AWS_18',
          check_name: 'Ensure the S3 bucket has access logging enabled',
          check_result: { result: 'FAILED' },
          file_path: '/.local/templates/cdk.out/dev/Daybook-dev-Data.template.json',
          resource: 'AWS::S3::Bucket.AccessLogs8B620ECA',
        },
      ],
    },
    summary: { passed: 285, failed: 1, skipped: 0, parsing_errors: parsingErrors, resource_count: 144 },
  });
}

describe('the report of checkov', () => {
  it('names a finding by its rule and the resource, the same in every stage', () => {
    expect(readReport(printed())).toEqual({
      resources: 144,
      findings: [
        {
          check: 'CKV_AWS_18',
          resource: 'Data AWS::S3::Bucket AccessLogs8B620ECA',
          rule: 'Ensure the S3 bucket has access logging enabled',
        },
      ],
    });
  });

  it('is refused when a template could not be read', () => {
    expect(() => readReport(printed(1))).toThrow('checkov could not read 1 files');
  });

  it('is refused when checkov looked at nothing', () => {
    // What it prints when no file is a template.
    expect(() =>
      readReport('{ "passed": 0, "failed": 0, "skipped": 0, "parsing_errors": 0, "resource_count": 0 }'),
    ).toThrow();
  });
});
