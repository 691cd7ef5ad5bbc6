/**
 * AWS's list prices in US dollars, us-east-1, without free tiers, as in docs/deploy.md ("What it costs"). A test compares
 * the two.
 *
 * Written down in November 2026. Three were checked that month in stored copies of published pages: Step Functions
 * (aws.amazon.com/step-functions/pricing: $0.025 for 1,000), S3 requests (two articles that quote the price list), Lambda on
 * arm64 (a table in a published package). That a Distributed Map is charged a transition for each child that it starts is in the
 * developer guide of Step Functions ("Transitions"); EXPRESS prices and steps are on its page of prices. Athena's were, too (athena.guide, "Athena Basics: Pricing Model"; rcpedia.stanford.edu,
 * "Athena"). SES's are from AWS's price list of 2026-07-22, as github.com/api-evangelist/amazon-ses quotes it (2026-08-13); it does
 * not say whether Essentials charges attachments, too. The others were not checked. Check them before you rely on them.
 */
export const PRICES = {
  asOf: '2026-11',
  region: 'us-east-1',
  /** A GB-second on arm64, for the first 7.5 billion in a month. */
  lambdaGbSecond: 0.0000133334,
  lambdaRequest: 0.2 / 1_000_000,
  stateTransition: 0.025 / 1_000,
  expressRequest: 1 / 1_000_000,
  expressGbSecond: 0.00001667,
  /** PUT, COPY, POST, LIST. DELETE costs nothing. */
  s3Write: 0.005 / 1_000,
  /** GET, HEAD. */
  s3Read: 0.0004 / 1_000,
  s3GbMonth: 0.023,
  /** In the pricing plan Essentials, which new accounts have since 2026-07-21. An account without a plan pays 0.10 for 1,000. */
  mail: 0.16 / 1_000,
  attachmentGb: 0.12,
  secretRead: 0.05 / 10_000,
  secretMonth: 0.4,
  scheduledInvocation: 1 / 1_000_000,
  logGb: 0.5,
  notice: 0.5 / 1_000_000,
  /** What a statement of Athena scans: compressed bytes. DDL is free, and so are statements that fail. */
  athenaByte: 5 / 1_000_000_000_000,
  /** The least that a statement is charged for. */
  athenaLeastBytes: 10_000_000,
  metricMonth: 0.3,
  /** For each metric of an alarm: one that adds up three metrics costs three times as much. */
  alarmMetricMonth: 0.1,
  dashboardMonth: 3,
  keyMonth: 1,
} as const;
