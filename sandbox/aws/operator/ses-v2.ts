import { epochSeconds, jsonAnswer, ServiceError, type Answer, type Service } from '../service.ts';
import { restJsonService, type RestRequest } from '../json-target.ts';

export interface MailAccount {
  /** Whether mail may go to any address. `false`: the account is in the sandbox of SES. */
  productionAccess: boolean;
  sendingEnabled: boolean;
  enforcementStatus: 'HEALTHY' | 'PROBATION' | 'SHUTDOWN';
  /** Mails in 24 hours. -1: no limit. */
  max24HourSend: number;
  /** Mails a second. */
  maxSendRate: number;
  sentLast24Hours: number;
  /** Such as `ESSENTIALS`. Not set: SES does not say it. */
  pricingPlan?: string | undefined;
}

export interface MailIdentity {
  verified?: boolean;
  sendingEnabled?: boolean;
  dkimStatus?: 'PENDING' | 'SUCCESS' | 'FAILED' | 'TEMPORARY_FAILURE' | 'NOT_STARTED';
  configurationSet?: string;
}

export interface EventDestination {
  name: string;
  enabled: boolean;
  /** Such as `BOUNCE`, `COMPLAINT`, `DELIVERY`. */
  eventTypes: readonly string[];
  eventBusArn?: string;
}

export interface ConfigurationSet {
  sendingEnabled?: boolean;
  eventDestinations?: readonly EventDestination[];
}

/** An address that SES sends nothing to. */
export interface SuppressedAddress {
  reason: 'BOUNCE' | 'COMPLAINT';
  at: Date;
}

export class MailSettings {
  readonly account: MailAccount = {
    productionAccess: true,
    sendingEnabled: true,
    enforcementStatus: 'HEALTHY',
    max24HourSend: 50_000,
    maxSendRate: 14,
    sentLast24Hours: 0,
    pricingPlan: 'ESSENTIALS',
  };
  /** By domain or address. */
  readonly identities = new Map<string, MailIdentity>();
  readonly configurationSets = new Map<string, ConfigurationSet>();
  readonly suppressed = new Map<string, SuppressedAddress>();
  readonly #now: () => number;

  /** @param now milliseconds since 1970 UTC */
  constructor(now: () => number = Date.now) {
    this.#now = now;
  }

  suppress(address: string, reason: SuppressedAddress['reason']): void {
    this.suppressed.set(address, { reason, at: new Date(this.#now()) });
  }
}

/** SES v2: the account, identities, configuration sets and the account's suppression list. It sends nothing. */
export function sesV2Service(settings: MailSettings): Service {
  const sets = '/v2/email/configuration-sets/{}';
  const addresses = '/v2/email/suppression/addresses';
  return restJsonService('sesV2', {
    GetAccount: ['GET', '/v2/email/account', () => account(settings.account)],
    GetEmailIdentity: [
      'GET',
      '/v2/email/identities/{}',
      ({ path: [name = ''] }) => identity(name, settings.identities.get(name)),
    ],
    GetConfigurationSet: ['GET', sets, (request) => configurationSet(...foundSet(settings, request))],
    GetConfigurationSetEventDestinations: [
      'GET',
      `${sets}/event-destinations`,
      (request) => eventDestinations(foundSet(settings, request)[1]),
    ],
    ListSuppressedDestinations: ['GET', addresses, ({ query }) => suppressedPage(settings, query)],
    GetSuppressedDestination: [
      'GET',
      `${addresses}/{}`,
      ({ path: [address = ''] }) => {
        const found = settings.suppressed.get(address);
        if (found === undefined) throw notSuppressed(address);
        return jsonAnswer({ SuppressedDestination: suppressed(address, found) });
      },
    ],
    DeleteSuppressedDestination: [
      'DELETE',
      `${addresses}/{}`,
      ({ path: [address = ''] }) => {
        if (!settings.suppressed.delete(address)) throw notSuppressed(address);
        return jsonAnswer({});
      },
    ],
  });
}

function account(state: MailAccount): Answer {
  return jsonAnswer({
    ProductionAccessEnabled: state.productionAccess,
    SendingEnabled: state.sendingEnabled,
    EnforcementStatus: state.enforcementStatus,
    SendQuota: {
      Max24HourSend: state.max24HourSend,
      MaxSendRate: state.maxSendRate,
      SentLast24Hours: state.sentLast24Hours,
    },
    ...(state.pricingPlan !== undefined && { PricingAttributes: { CurrentPlan: state.pricingPlan } }),
  });
}

function identity(name: string, state: MailIdentity | undefined): Answer {
  if (state === undefined) throw notFound(`Email identity ${name} does not exist.`);
  const { verified = true, dkimStatus = 'SUCCESS' } = state;
  return jsonAnswer({
    IdentityType: name.includes('@') ? 'EMAIL_ADDRESS' : 'DOMAIN',
    VerifiedForSendingStatus: verified,
    DkimAttributes: { SigningEnabled: true, Status: dkimStatus },
    ...(state.configurationSet !== undefined && { ConfigurationSetName: state.configurationSet }),
  });
}

function foundSet({ configurationSets }: MailSettings, { path: [name = ''] }: RestRequest) {
  const set = configurationSets.get(name);
  if (set === undefined) throw notFound(`Configuration set <${name}> does not exist.`);
  return [name, set] as const;
}

function configurationSet(name: string, set: ConfigurationSet): Answer {
  return jsonAnswer({
    ConfigurationSetName: name,
    SendingOptions: { SendingEnabled: set.sendingEnabled ?? true },
  });
}

function eventDestinations({ eventDestinations: destinations = [] }: ConfigurationSet): Answer {
  return jsonAnswer({
    EventDestinations: destinations.map(({ name, enabled, eventTypes, eventBusArn }) => ({
      Name: name,
      Enabled: enabled,
      MatchingEventTypes: eventTypes,
      ...(eventBusArn !== undefined && { EventBridgeDestination: { EventBusArn: eventBusArn } }),
    })),
  });
}

const MOST_A_PAGE = 1_000;

function suppressedPage({ suppressed: all }: MailSettings, query: URLSearchParams): Answer {
  const filter = ['Reason', 'StartDate', 'EndDate'].find((name) => query.has(name));
  if (filter !== undefined)
    throw new ServiceError(400, 'BadRequestException', `this sandbox has no filter ${filter}`);
  const begin = Number(query.get('NextToken') ?? 0);
  const end = begin + Number(query.get('PageSize') ?? MOST_A_PAGE);
  return jsonAnswer({
    SuppressedDestinationSummaries: [...all]
      .slice(begin, end)
      .map(([address, entry]) => suppressed(address, entry)),
    ...(end < all.size && { NextToken: String(end) }),
  });
}

function suppressed(address: string, { reason, at }: SuppressedAddress) {
  return { EmailAddress: address, Reason: reason, LastUpdateTime: epochSeconds(at) };
}

function notSuppressed(address: string): ServiceError {
  return notFound(`Email address ${address} does not exist on your suppression list.`);
}

function notFound(message: string): ServiceError {
  return new ServiceError(404, 'NotFoundException', message);
}
