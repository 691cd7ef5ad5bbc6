import { S3ServiceException } from '@aws-sdk/client-s3';
import * as z from 'zod';
import { Telemetry } from '#runtime/telemetry.ts';
import { InvalidEventError } from '#records/errors/invalid-event.ts';
import { captureOutput } from '#support/runtime/captured-output.ts';
import { defined, anyOf, membersOf } from '#support/assertions/index.ts';
import { lambdaContext } from '#support/runtime/lambda-context.ts';

/** The logged part of an error, and the whole line to search for leaks. */
function logged(error: unknown): { failure: unknown; line: string } {
  const output = captureOutput();
  new Telemetry('plan', 'INFO').logError(error);
  const line = defined(output.lines()[0]);
  expect(line).toMatchObject({ level: 'ERROR', service: 'plan', message: 'failed' });
  return { failure: line['failure'], line: output.text() };
}

describe('the log', () => {
  test.each<[string, Error, object]>([
    [
      'name, message and plain fields of Daybook’s own errors, but no cause',
      Object.assign(new InvalidEventError('day', 'is not a date'), {
        cause: new Error('hunter2'),
        answer: { body: 'hunter2' },
      }),
      { name: 'InvalidEventError', message: 'the event is not usable: day: is not a date', member: 'day' },
    ],
    [
      'name and message of errors of AWS',
      new S3ServiceException({
        ...{ name: 'AccessDenied', message: 'Access Denied' },
        ...{ $fault: 'client', $metadata: { httpStatusCode: 403 } },
      }),
      { name: 'AccessDenied', message: 'Access Denied' },
    ],
    [
      'the code of a connection error',
      Object.assign(new Error('connect ECONNREFUSED 10.0.0.1:443'), { code: 'ECONNREFUSED' }),
      { name: 'Error', code: 'ECONNREFUSED' },
    ],
  ])('has %s', (_what, error, failure) => {
    const { failure: said, line } = logged(error);
    expect(said).toEqual(failure);
    expect(line).not.toContain('hunter2');
  });

  test.each([
    ['a parser', (): unknown => JSON.parse('hunter2')],
    ['a schema', () => z.literal('x', { error: (issue) => String(issue.input) }).parse('hunter2')],
    ['anything else', () => Promise.reject(new TypeError('hunter2', { cause: 'hunter2' }))],
    // eslint-disable-next-line @typescript-eslint/prefer-promise-reject-errors -- a library may throw a text
    ['a value that is not an error', () => Promise.reject('hunter2')],
  ])('has no message of %s, because it may quote what was read', async (_, fail) => {
    const error = await Promise.resolve()
      .then(fail)
      .then(() => undefined)
      .catch((thrown: unknown) => thrown);
    expect(error).toBeDefined();
    expect(logged(error).line).not.toContain('hunter2');
  });
});

describe('an invocation', () => {
  test('writes metrics with the function as the only dimension and the merchant as metadata', async () => {
    const output = captureOutput();
    const telemetry = new Telemetry('daily-report', 'INFO');
    const answer = await telemetry.during(undefined, () => {
      telemetry.about({ merchantCode: '700001' });
      telemetry.count('Invoices', 428);
      return Promise.resolve('done');
    });
    expect(answer).toBe('done');
    expect(output.lines()).toEqual([
      expect.objectContaining({
        service: 'daily-report',
        merchantCode: '700001',
        Invoices: 428,
        _aws: {
          Timestamp: anyOf(Number),
          CloudWatchMetrics: [
            {
              Namespace: 'Daybook',
              Dimensions: [['service']],
              Metrics: [{ Name: 'Invoices', Unit: 'Count' }],
            },
          ],
        },
      }),
    ]);
  });

  test('logs its failure with the request id and throws it again; it writes its metrics, and the next one has neither', async () => {
    const output = captureOutput();
    const telemetry = new Telemetry('plan', 'INFO');
    const failure = new InvalidEventError('kind', 'must be one of daily, alert');
    await expect(
      telemetry.during(lambdaContext({ awsRequestId: 'request-1' }), () => {
        telemetry.about({ kind: 'daily' });
        telemetry.count('RejectedEntries', 1);
        return Promise.reject(failure);
      }),
    ).rejects.toBe(failure);
    const [log, metrics] = output.lines();
    expect(log).toMatchObject({ function_request_id: 'request-1', failure: { name: 'InvalidEventError' } });
    expect(metrics).toMatchObject({ RejectedEntries: 1, kind: 'daily' });
    await telemetry.during(undefined, () => {
      telemetry.count('RejectedEntries', 2);
      return Promise.resolve();
    });
    expect(output.lines()[2]).not.toHaveProperty('kind');
    expect(output.lines()).toHaveLength(3);
  });

  test('without metrics writes nothing, and leaves nothing about itself to the next one', async () => {
    const output = captureOutput();
    const telemetry = new Telemetry('plan', 'INFO');
    const during = (work: () => void) =>
      telemetry.during(undefined, () => {
        work();
        return Promise.resolve();
      });
    await during(() => telemetry.about({ merchantCode: '700001' }));
    expect(output.text()).toBe('');
    await during(() => telemetry.count('DueMerchants', 1));
    expect(output.lines()).toHaveLength(1);
    expect(output.lines()[0]).not.toHaveProperty('merchantCode');
  });

  test('LOG_LEVEL is the lowest level that is logged', () => {
    const output = captureOutput();
    const { logger } = new Telemetry('plan', 'WARN');
    logger.info('planned');
    logger.warn('unknown members');
    expect(output.lines().map(({ message }) => message)).toEqual(['unknown members']);
  });
});

describe('an error that leaves a function', () => {
  /** The error that `during` throws when `thrown` is thrown inside. */
  function leaving(thrown: Error): Promise<unknown> {
    captureOutput();
    const run = new Telemetry('plan', 'INFO').during(undefined, () => Promise.reject(thrown));
    return run.catch((error: unknown) => error);
  }

  test('is unchanged if it is Daybook’s own', async () => {
    const error = new InvalidEventError('day', 'is not a date');
    expect(await leaving(error)).toBe(error);
  });

  test('has no message if it is unexpected, but its places in the code', async () => {
    const left = await leaving(new TypeError('hunter2'));
    expect(left).toMatchObject({ name: 'UnexpectedError', message: 'TypeError, see the stack' });
    const { stack } = membersOf(left);
    expect(stack).toContain('telemetry.test.ts');
    expect(stack).not.toContain('hunter2');
  });
});

test('records side by side have their own keys in the log, and leave none behind', async () => {
  const output = captureOutput();
  const telemetry = new Telemetry('alert-check', 'INFO');
  await telemetry.during(undefined, async () => {
    const work = (merchantCode: string) =>
      telemetry.ofRecord(async () => {
        telemetry.about({ merchantCode });
        await Promise.resolve();
        telemetry.logger.info('worked');
        telemetry.logError(new InvalidEventError('day', 'is not a date'));
      });
    await Promise.all([work('700001'), work('700002')]);
    telemetry.logger.info('all');
  });
  const told = output.lines().map(({ message, merchantCode = null }) => [message, merchantCode].join(' '));
  expect(told.sort()).toEqual(['all ', 'failed 700001', 'failed 700002', 'worked 700001', 'worked 700002']);
});
