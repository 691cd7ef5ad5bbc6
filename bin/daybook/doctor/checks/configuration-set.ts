import {
  GetConfigurationSetCommand,
  GetConfigurationSetEventDestinationsCommand,
  NotFoundException,
} from '@aws-sdk/client-sesv2';
import type { EventDestination, EventType } from '@aws-sdk/client-sesv2';
import { fine, wrong } from '../finding.ts';
import type { Check } from '../check.ts';
import type { Finding } from '../finding.ts';
import type { CheckedStage } from '../checked-stage.ts';

/** The events that `mail-events` needs, so that ledgers say what became of a mail. */
const NEEDED: readonly EventType[] = ['DELIVERY', 'BOUNCE', 'COMPLAINT', 'REJECT', 'SEND'];

/** The configuration set: does it send, and do its events reach EventBridge? */
export const configurationSet: Check = {
  name: 'Configuration set',
  looksAt: ({ stage }) => stage.mail.configurationSet,
  look: async ({ stage, clients }: CheckedStage) => {
    const { configurationSet: name } = stage.mail;
    const deploy = stage.lines.cdk('deploy', `Daybook-${stage.name}-Mail`);
    const input = { ConfigurationSetName: name };
    try {
      const ses = clients.ses();
      const [set, { EventDestinations: destinations = [] }] = await Promise.all([
        ses.send(new GetConfigurationSetCommand(input)),
        ses.send(new GetConfigurationSetEventDestinationsCommand(input)),
      ]);
      const isOff = set.SendingOptions?.SendingEnabled === false;
      const enable = stage.lines.aws(
        ...['sesv2', 'put-configuration-set-sending-options'],
        ...['--configuration-set-name', name, '--sending-enabled'],
      );
      return [
        ...(isOff ? [wrong('its sending is paused: no mail goes out', enable)] : []),
        destinationFinding(destinations, deploy),
      ];
    } catch (error) {
      if (!(error instanceof NotFoundException)) throw error;
      return [wrong('SES does not have it: every mail is refused', deploy)];
    }
  },
};

function destinationFinding(destinations: readonly EventDestination[], deploy: string): Finding {
  const working = destinations.filter(
    ({ Enabled, EventBridgeDestination }) => Enabled === true && EventBridgeDestination !== undefined,
  );
  const sent = new Set(working.flatMap(({ MatchingEventTypes }) => MatchingEventTypes ?? []));
  const lacking = NEEDED.filter((type) => !sent.has(type));
  if (lacking.length === 0) return fine('its events go to EventBridge');
  return wrong(
    working.length === 0
      ? 'no event destination is enabled: bounces and deliveries are never known'
      : `its event destination leaves out ${lacking.join(', ')}`,
    deploy,
  );
}
