import { groupSettings } from '#domain/registry/groups.ts';
import { merchantSettings } from '#domain/registry/merchants.ts';
import type { Registry } from '#domain/registry/registry.ts';
import { S3RegistrySource } from '#registry/s3-registry-source.ts';
import type { CommandContext } from '../context.ts';
import type { ExitStatus } from '../perform.ts';
import type { Lines } from '../stage/lines.ts';
import { assertKnownGroup } from '../stage/unknown-group.ts';
import { assertKnownMerchant } from '../stage/unknown-merchant.ts';
import { counted } from '../terminal/counted.ts';
import { beginWork } from '../terminal/progress.ts';
import { shown } from '../terminal/shown-text.ts';
import { runStatement } from './run-statement.ts';
import { showStatement } from './show-statement.ts';
import type { NamedOwner } from './show-statement.ts';
import { statementEvent } from './statement-event.ts';
import type { StatementEvent, StatementOptions } from './statement-event.ts';

/** A merchant or group of the registry, and its recipients. */
interface KnownOwner extends NamedOwner {
  recipients: readonly string[];
}

/** @throws {CommandError} when the registry does not have it */
function ownerIn(registry: Registry, event: StatementEvent, lines: Lines): KnownOwner {
  if ('group' in event) {
    assertKnownGroup(registry, event.group);
    const { recipients } = groupSettings(registry, event.group);
    return { title: `Group ${event.group}`, currency: '', recipients };
  }
  const { merchantCode } = event;
  assertKnownMerchant(registry, merchantCode, lines);
  const { name, currency, recipients } = merchantSettings(registry, merchantCode);
  return { title: `${merchantCode} ${shown(name, 60)}`, currency, recipients };
}

/** Does `daybook statement`. */
export async function statement(
  context: CommandContext,
  code: string | undefined,
  options: StatementOptions,
): Promise<ExitStatus> {
  const { output, questions } = context;
  const event = statementEvent(code, options);
  const stage = await context.stage();
  const { registry } = await new S3RegistrySource(stage.s3(), stage.bucket, stage.registryKey).load();
  const owner = ownerIn(registry, event, stage.lines);
  // The others reach nobody who has the mail.
  if (event.resend === true) {
    const everybody = counted(owner.recipients.length, 'recipient');
    const question = `Send the mail of ${shown(event.period, 40)} again to ${everybody} of ${owner.title}, also to those who have it?`;
    if (!(await questions.confirm(question))) {
      output.note('Nothing was sent.');
      return 1;
    }
  }
  const work = beginWork(`statement runs for ${owner.title}`);
  const answer = await runStatement(stage, event).finally(() => work.stop());
  output.result(answer, () =>
    showStatement(output, { owner, answer, isDryRun: options.dryRun === true, lines: stage.lines }),
  );
  return answer.final && answer.mail.status !== 'held' ? 0 : 1;
}
