import {
  DeleteSuppressedDestinationCommand,
  GetAccountCommand,
  GetConfigurationSetCommand,
  GetConfigurationSetEventDestinationsCommand,
  GetEmailIdentityCommand,
  GetSuppressedDestinationCommand,
  ListEmailIdentitiesCommand,
  PutSuppressedDestinationCommand,
  paginateListSuppressedDestinations,
} from '@aws-sdk/client-sesv2';
import { expect, test } from 'vitest';
import { runOperatorSandbox } from '#support/aws/running-operator-sandbox.ts';

test('GetAccount gives what a test has set: quota, production access, and whether it may send', async () => {
  const { clients, mailSettings } = await runOperatorSandbox();
  Object.assign(mailSettings.account, { productionAccess: false, max24HourSend: 200, sentLast24Hours: 190 });
  expect(await clients.sesV2.send(new GetAccountCommand({}))).toMatchObject({
    ProductionAccessEnabled: false,
    SendingEnabled: true,
    EnforcementStatus: 'HEALTHY',
    SendQuota: { Max24HourSend: 200, MaxSendRate: 14, SentLast24Hours: 190 },
  });
});

test('GetEmailIdentity gives verification, DKIM and the MAIL FROM domain', async () => {
  const { clients, mailSettings } = await runOperatorSandbox();
  mailSettings.identities.set('example.com', {});
  mailSettings.identities.set('owner@example.org', {
    verified: false,
    dkimStatus: 'PENDING',
    mailFromDomain: 'bounce.example.org',
    mailFromStatus: 'FAILED',
    configurationSet: 'daybook',
  });
  const get = (EmailIdentity: string) => clients.sesV2.send(new GetEmailIdentityCommand({ EmailIdentity }));
  expect(await get('example.com')).toMatchObject({
    IdentityType: 'DOMAIN',
    VerifiedForSendingStatus: true,
    VerificationStatus: 'SUCCESS',
    DkimAttributes: { Status: 'SUCCESS', SigningEnabled: true },
  });
  expect(await get('owner@example.org')).toMatchObject({
    IdentityType: 'EMAIL_ADDRESS',
    VerifiedForSendingStatus: false,
    DkimAttributes: { Status: 'PENDING' },
    MailFromAttributes: { MailFromDomain: 'bounce.example.org', MailFromDomainStatus: 'FAILED' },
    ConfigurationSetName: 'daybook',
  });
  await expect(get('example.net')).rejects.toMatchObject({
    name: 'NotFoundException',
    message: 'Email identity example.net does not exist.',
    $metadata: { httpStatusCode: 404 },
  });
});

test('a configuration set has its options and its event destinations', async () => {
  const { clients, mailSettings } = await runOperatorSandbox();
  const eventBusArn = 'arn:aws:events:us-east-1:000000000000:event-bus/default';
  const destination = { name: 'events', enabled: true, eventTypes: ['BOUNCE', 'DELIVERY'], eventBusArn };
  mailSettings.configurationSets.set('daybook', {
    suppressedReasons: ['BOUNCE'],
    eventDestinations: [destination],
  });
  const ConfigurationSetName = 'daybook';
  expect(await clients.sesV2.send(new GetConfigurationSetCommand({ ConfigurationSetName }))).toMatchObject({
    ConfigurationSetName,
    SendingOptions: { SendingEnabled: true },
    SuppressionOptions: { SuppressedReasons: ['BOUNCE'] },
  });
  const { EventDestinations } = await clients.sesV2.send(
    new GetConfigurationSetEventDestinationsCommand({ ConfigurationSetName }),
  );
  expect(EventDestinations).toEqual([
    {
      Name: 'events',
      Enabled: true,
      MatchingEventTypes: ['BOUNCE', 'DELIVERY'],
      EventBridgeDestination: { EventBusArn: eventBusArn },
    },
  ]);
  const absent = new GetConfigurationSetCommand({ ConfigurationSetName: 'none' });
  await expect(clients.sesV2.send(absent)).rejects.toMatchObject({ name: 'NotFoundException' });
});

test('an address is put on the suppression list, read, and removed', async () => {
  const time = new Date('2026-11-21T04:00:00.000Z');
  const { clients, mailSettings, requests } = await runOperatorSandbox({ now: () => time.getTime() });
  const EmailAddress = 'owner+daybook@example.com';
  const get = () => clients.sesV2.send(new GetSuppressedDestinationCommand({ EmailAddress }));
  const missing = {
    name: 'NotFoundException',
    message: `Email address ${EmailAddress} does not exist on your suppression list.`,
  };
  await expect(get()).rejects.toMatchObject(missing);
  await clients.sesV2.send(new PutSuppressedDestinationCommand({ EmailAddress, Reason: 'COMPLAINT' }));
  expect(await get()).toMatchObject({
    SuppressedDestination: { EmailAddress, Reason: 'COMPLAINT', LastUpdateTime: time },
  });
  expect([...mailSettings.suppressed.keys()]).toEqual([EmailAddress]);
  const remove = () => clients.sesV2.send(new DeleteSuppressedDestinationCommand({ EmailAddress }));
  await remove();
  await expect(remove()).rejects.toMatchObject(missing);
  expect(requests.at(-1)).toMatchObject({
    service: 'sesV2',
    operation: 'DeleteSuppressedDestination',
    key: EmailAddress,
    status: 404,
  });
});

test('the suppression list is given page by page, by reason and by date', async () => {
  let now = Date.parse('2026-11-01T00:00:00Z');
  const { clients, mailSettings } = await runOperatorSandbox({ now: () => now });
  for (let n = 0; n < 5; n += 1) {
    now += 86_400_000;
    mailSettings.suppress(`a${n}@example.com`, n % 2 === 0 ? 'BOUNCE' : 'COMPLAINT');
  }
  const list = async (more: object) => {
    const found: unknown[] = [];
    const pages = paginateListSuppressedDestinations({ client: clients.sesV2, pageSize: 2 }, more);
    for await (const { SuppressedDestinationSummaries: summaries = [] } of pages)
      found.push(...summaries.map(({ EmailAddress }) => EmailAddress?.at(1)));
    return found.join('');
  };
  expect(await list({})).toBe('01234');
  expect(await list({ Reasons: ['BOUNCE'] })).toBe('024');
  expect(await list({ StartDate: new Date('2026-11-04'), EndDate: new Date('2026-11-05') })).toBe('23');
});

test('another operation is refused', async () => {
  const { clients } = await runOperatorSandbox();
  await expect(clients.sesV2.send(new ListEmailIdentitiesCommand({}))).rejects.toMatchObject({
    name: 'UnknownOperationException',
  });
});
