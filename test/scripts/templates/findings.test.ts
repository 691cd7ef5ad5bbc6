import { type AcceptedFinding, compareFindings, readReport } from '#scripts/templates/findings.ts';

const finding = {
  check: 'CKV_AWS_18',
  resource: 'Data AWS::S3::Bucket AccessLogs8B620ECA',
  rule: 'Ensure the S3 bucket has access logging enabled',
};

/** What checkov 3.3 prints, without members that nobody reads. */
function printed(parsingErrors = 0): string {
  return JSON.stringify({
    check_type: 'cloudformation',
    results: {
      failed_checks: [
        {
          check_id: 'CKV_AWS_18',
          check_name: finding.rule,
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
    expect(readReport(printed())).toEqual({ resources: 144, findings: [finding] });
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

const accepted: AcceptedFinding = {
  check: 'CKV_AWS_18',
  resources: /^Data AWS::S3::Bucket AccessLogs/,
  reason: 'It holds the access logs.',
};

describe('findings and what is accepted', () => {
  it('agree', () => {
    expect(compareFindings([finding], [accepted])).toEqual([]);
  });

  it('a finding that nobody accepted is named, once for all stages', () => {
    const lines = ['CKV_AWS_18 Data AWS::S3::Bucket Data1: Ensure the S3 bucket has access logging enabled'];
    const other = { ...finding, resource: 'Data AWS::S3::Bucket Data1' };
    expect(compareFindings([finding, other, other], [accepted])).toEqual(lines);
  });

  it('accepting one rule of a resource accepts no other', () => {
    expect(compareFindings([finding, { ...finding, check: 'CKV_AWS_21' }], [accepted])).toEqual([
      expect.stringMatching(/^CKV_AWS_21 Data/),
    ]);
  });

  it('an entry without a finding is named', () => {
    expect(compareFindings([], [accepted])).toEqual([
      'CKV_AWS_18 ^Data AWS::S3::Bucket AccessLogs: accepted, and no longer found',
    ]);
  });
});
