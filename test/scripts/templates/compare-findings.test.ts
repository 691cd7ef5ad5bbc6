import { describe, expect, it } from 'vitest';
import type { AcceptedFinding } from '#scripts/templates/accepted-findings.ts';
import { compareFindings } from '#scripts/templates/compare-findings.ts';

const finding = {
  check: 'CKV_AWS_18',
  resource: 'Data AWS::S3::Bucket AccessLogs8B620ECA',
  rule: 'Ensure the S3 bucket has access logging enabled',
};
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
