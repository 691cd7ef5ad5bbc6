import type { NoticeCommand } from '#domain/notices/ops-notice.ts';

/** Where the function that sends a notice runs. */
export interface NoticePlace {
  /** The name of the stage. `undefined` for a local run: commands are then those of a local run. */
  stage?: string | undefined;
  bucket: string;
  /** URL of docs/runbook.md as it is published, without a fragment. */
  runbook?: string | undefined;
}

/** Where a local run keeps objects and the log (`npm start`). */
const LOCAL = '.local';

/** A text as one word of a shell, whatever it contains. */
export function shellWord(text: string): string {
  return /^[\w@%+=:,./-]+$/.test(text) ? text : `'${text.replaceAll("'", String.raw`'\''`)}'`;
}

/** The operator's command in one line. @param place the options that say where: `--stage prod` */
function daybookLine(words: readonly string[], place: string): string {
  return `npx daybook ${[...words.map(shellWord), place].join(' ')}`;
}

function onStage(command: NoticeCommand, stage: string, bucket: string): string {
  switch (command.does) {
    case 'daybook':
      return daybookLine(command.words, `--stage ${stage}`);
    case 'show object':
      return `aws s3 cp ${shellWord(`s3://${bucket}/${command.key}`)} -`;
    case 'list objects':
      return `aws s3 ls --recursive ${shellWord(`s3://${bucket}/${command.prefix}`)}`;
    case 'show log': {
      const pattern = shellWord(JSON.stringify(command.find));
      return `aws logs tail /aws/lambda/daybook-${stage}-${command.functionName} --since 1d --filter-pattern ${pattern}`;
    }
    case 'invoke': {
      const payload = shellWord(JSON.stringify(command.event));
      // The alias: people may call nothing else, and after a rollback it is the version that schedules call.
      return `aws lambda invoke --function-name daybook-${stage}-${command.functionName}:live --cli-binary-format raw-in-base64-out --payload ${payload} --cli-read-timeout 900 /dev/stdout`;
    }
  }
}

function onThisMachine(command: NoticeCommand, bucket: string): string {
  switch (command.does) {
    case 'daybook':
      return daybookLine(command.words, '--local');
    case 'show object':
      return `cat ${shellWord(`${LOCAL}/s3/${bucket}/${command.key}`)}`;
    case 'list objects':
      return `ls -R ${shellWord(`${LOCAL}/s3/${bucket}/${command.prefix}`)}`;
    case 'show log':
      return `grep -F -e ${shellWord(command.find)} ${LOCAL}/daybook.log`;
    case 'invoke':
      return `echo ${shellWord(JSON.stringify(command.event))} | npm run invoke -- ${command.functionName} /dev/stdin`;
  }
}

/** The command in one line, as an operator pastes it into a POSIX shell. */
export function commandLine(command: NoticeCommand, { stage, bucket }: NoticePlace): string {
  return stage === undefined ? onThisMachine(command, bucket) : onStage(command, stage, bucket);
}
