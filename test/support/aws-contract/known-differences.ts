/*
 * Known differences of moto and of our own loopback from AWS, each with whose it is. A test that meets one asks
 * {@link differs} by its name.
 */
const KNOWN_DIFFERENCES = {
  // Of writers at once more than one may succeed, and updates are lost. In AWS the first write to finish succeeds, and the
  // others get 412, or 409 where they overlap (AmazonS3/latest/userguide/conditional-writes.html).
  conditionsAreNotAtomic: 'moto',
  // DescribeAlarms with AlarmNamePrefix and StateValue gives the alarms of that prefix in every state (API_DescribeAlarms).
  stateOfAlarmsIsIgnoredBesideAPrefix: 'moto',
  // Every handle deletes its message and hides it. In AWS one of an earlier receive deletes nothing, without an error, and
  // hides nothing, with one (SQS, API_DeleteMessage).
  handlesStayGood: 'moto',
  // There is no StartMessageMoveTask.
  noMoveTasks: 'moto',
  // Any bucket is there as soon as it is named. In AWS: 404 NoSuchBucket (sandbox/aws/README.md).
  everyBucketExists: 'loopback',
} as const;

/** The AWS that the suite uses: moto when its address is given, else our own loopbacks. */
export const TARGET = process.env['DAYBOOK_AWS_ENDPOINT'] === undefined ? 'loopback' : 'moto';

export function differs(difference: keyof typeof KNOWN_DIFFERENCES): boolean {
  return KNOWN_DIFFERENCES[difference] === TARGET;
}
