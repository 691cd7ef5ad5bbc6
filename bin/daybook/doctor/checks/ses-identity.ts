import { GetEmailIdentityCommand, NotFoundException } from '@aws-sdk/client-sesv2';
import type { GetEmailIdentityCommandOutput } from '@aws-sdk/client-sesv2';
import type { Stage } from '../../stage/stage.ts';
import { fine, warning, wrong } from '../finding.ts';
import type { Check } from '../check.ts';
import type { Finding } from '../finding.ts';
import type { CheckedStage } from '../checked-stage.ts';

/** The mail domain in SES: verified, and signed with DKIM? */
export const sesIdentity: Check = {
  name: 'SES identity',
  looksAt: ({ stage }) => stage.mail.identity,
  look: async ({ stage, clients }: CheckedStage) => {
    try {
      const identity = await clients
        .ses()
        .send(new GetEmailIdentityCommand({ EmailIdentity: stage.mail.identity }));
      return identityFindings(identity, stage);
    } catch (error) {
      if (!(error instanceof NotFoundException)) throw error;
      return [wrong('SES does not have it: no mail goes out', deploy(stage))];
    }
  },
};

function deploy({ name, lines }: Stage): string {
  return lines.cdk('deploy', `Daybook-${name}-Mail`);
}

function identityFindings(
  { VerifiedForSendingStatus, DkimAttributes = {}, ConfigurationSetName }: GetEmailIdentityCommandOutput,
  stage: Stage,
): Finding[] {
  const { name, mail, lines } = stage;
  const { Status = 'NOT_STARTED', SigningEnabled = false } = DkimAttributes;
  const outputs = ['--stack-name', `Daybook-${name}-Mail`, '--query', 'Stacks[0].Outputs'];
  const records = `add the CNAME records Dkim1 to Dkim3 to your DNS: ${lines.aws('cloudformation', 'describe-stacks', ...outputs)}`;
  const findings: Finding[] = [];
  if (VerifiedForSendingStatus !== true) {
    findings.push(wrong('it is not verified: SES refuses every mail', records));
  }
  if (Status !== 'SUCCESS') findings.push(wrong(`DKIM is ${Status}: mails are not signed`, records));
  else if (!SigningEnabled) {
    findings.push(
      wrong(
        'DKIM signing is switched off',
        lines.aws(
          ...['sesv2', 'put-email-identity-dkim-attributes'],
          ...['--email-identity', mail.identity, '--signing-enabled'],
        ),
      ),
    );
  }
  if (ConfigurationSetName !== undefined && ConfigurationSetName !== mail.configurationSet) {
    findings.push(warning(`its configuration set is ${ConfigurationSetName}`, deploy(stage)));
  }
  return findings.length > 0 ? findings : [fine('verified, signed with DKIM')];
}
