import type { MerchantSettings } from '#domain/registry/registry-schema.ts';
import type { Statement } from '#domain/statement/statement.ts';
import { statementLedgerKey } from '#domain/storage/statement-keys.ts';
import type { StatementPlace } from '#domain/storage/statement-keys.ts';
import type { LastMailed, MailedPage } from '#mailing/pages/mailed-page.ts';
import type { Dependencies } from '../dependencies.ts';
import { decideStatementMail, figuresOfStatement } from './decide-mail.ts';
import type { MailedStatement } from './decide-mail.ts';
import { heldNotice } from './held-notice.ts';
import { readablePage } from './readable-page.ts';

type Ports = Pick<Dependencies, 'statements' | 'snapshots' | 'senderProfile'>;

/**
 * A revision of a merchant's statement, for the mailing.
 *
 * @param send whether the event asks for the mail
 */
export function statementMail(
  ports: Ports,
  settings: MerchantSettings,
  statement: Statement,
  send: boolean,
): MailedPage {
  const { merchantCode, period, revision } = statement;
  const at = (number: number): StatementPlace => ({ owner: { merchantCode }, period, revision: number });
  const mailedBefore = async ({ revision: number, figures }: LastMailed): Promise<MailedStatement | null> => {
    if (figures === null) return null;
    const before = await readablePage(ports.statements, at(number));
    const { differsInMail } = await import('./composers.ts');
    return { figures, differs: before !== undefined && differsInMail(before, statement) };
  };
  return {
    revision,
    figures: figuresOfStatement(statement),
    soFar: false,
    readAt: statement.sealedAt,
    readBy: statement.digest.slice(0, 16),
    firstKind: 'statement',
    tags: { merchant: merchantCode, period, revision: revision.toString() },
    recipients: settings.recipients,
    ledgerKey: (number) => statementLedgerKey(at(number)),
    sealed: async (number) => {
      const sealed = await readablePage(ports.statements, at(number));
      return sealed && { figures: figuresOfStatement(sealed), soFar: false };
    },
    decide: async (before) => {
      const { skipEmpty, recipients } = settings;
      const mailed = before && (await mailedBefore(before));
      return decideStatementMail(statement, mailed, { send, skipEmpty, recipients: recipients.length });
    },
    // The code that renders and writes mails is loaded only when there is a mail to write.
    compose: async (corrects) => {
      const { composeStatementMail } = await import('./composers.ts');
      const before =
        corrects === null ? undefined : await readablePage(ports.statements, at(corrects.revision));
      return composeStatementMail(ports, settings, { statement, before: before ?? null, preview: false });
    },
    earlier: async (number) => {
      const earlier = await ports.statements.revision(at(number));
      return earlier && statementMail(ports, settings, earlier, send);
    },
    heldNotice: (number) => (held) => heldNotice(at(number), held),
  };
}
