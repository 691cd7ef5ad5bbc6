interface KnownDifference {
  /** The implementation that has this behaviour. */
  of: 'moto' | 'loopback';
  theirs: string;
  real: string;
  source: string;
}

/**
 * Known differences of moto and of our own loopback from AWS. A test that meets one asks {@link differs} by its name.
 */
const KNOWN_DIFFERENCES = {
  conditionsAreNotAtomic: {
    of: 'moto',
    theirs:
      'Looks at the condition of a write and writes in two steps, in a thread for each request and without a lock: ' +
      'of writers at once more than one may succeed, and updates are lost (seen: 9 of 10).',
    real: 'The first write to finish succeeds; the others get 412, or 409 where they overlap.',
    source:
      'moto/s3/responses.py, put_object; https://github.com/getmoto/moto/pull/7166 (moto is not made for threads); ' +
      'https://docs.aws.amazon.com/AmazonS3/latest/userguide/conditional-writes.html',
  },
  stateOfAlarmsIsIgnoredBesideAPrefix: {
    of: 'moto',
    theirs:
      'DescribeAlarms with AlarmNamePrefix and StateValue gives the alarms of that prefix in every state.',
    real: 'Only those of that prefix and in that state.',
    source:
      'moto/cloudwatch/responses.py, describe_alarms; ' +
      'https://docs.aws.amazon.com/AmazonCloudWatch/latest/APIReference/API_DescribeAlarms.html',
  },
  handlesStayGood: {
    of: 'moto',
    theirs:
      'Every handle deletes its message and hides it, also one of an earlier receive or after its time.',
    real: 'An earlier one deletes nothing, without an error, and hides nothing, with one.',
    source: 'https://docs.aws.amazon.com/AWSSimpleQueueService/latest/APIReference/API_DeleteMessage.html',
  },
  noMoveTasks: {
    of: 'moto',
    theirs: 'There are no move tasks.',
    real: 'StartMessageMoveTask moves what is in a dead-letter queue.',
    source:
      'moto/sqs/responses.py; ' +
      'https://docs.aws.amazon.com/AWSSimpleQueueService/latest/APIReference/API_StartMessageMoveTask.html',
  },
  everyBucketExists: {
    of: 'loopback',
    theirs: 'Any bucket is there as soon as it is named.',
    real: '404 NoSuchBucket.',
    source: 'sandbox/aws/README.md; https://docs.aws.amazon.com/AmazonS3/latest/API/ErrorResponses.html',
  },
} as const satisfies Record<string, KnownDifference>;

/** The AWS that the suite uses: moto when its address is given, else our own loopbacks. */
export const TARGET = process.env['DAYBOOK_AWS_ENDPOINT'] === undefined ? 'loopback' : 'moto';

export function differs(difference: keyof typeof KNOWN_DIFFERENCES): boolean {
  return KNOWN_DIFFERENCES[difference].of === TARGET;
}
