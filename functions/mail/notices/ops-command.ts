import type { NoticeCommand } from './ops-notice.ts';

export interface CommandPlace {
  stage?: string | undefined;
  profile?: string | undefined;
  region?: string | undefined;
  /** A run on this machine, in place of a stage. */
  local?: boolean | undefined;
  /** Of the run on this machine, when it is not `.local`. */
  directory?: string | undefined;
}

/** Where the function that sends a notice runs. */
export interface NoticePlace {
  /** `undefined` for a local run. */
  stage?: string | undefined;
  bucket: string;
  /** URL of docs/runbook.md as it is published, without a fragment. */
  runbook?: string | undefined;
}

/** Where a local run keeps everything, if nothing else is said (`npm start`). */
export const LOCAL_DIRECTORY = '.local';

export function shellWord(text: string): string {
  return /^[\w@%+:,./-][\w@%+=:,./-]*$/.test(text) ? text : `'${text.replaceAll("'", String.raw`'\''`)}'`;
}

function optionsOf(options: Readonly<Record<string, string | undefined>>): string[] {
  return Object.entries(options).flatMap(([name, value]) =>
    value === undefined ? [] : [`--${name}`, value],
  );
}

/**
 * A line that a person can paste into a POSIX shell. Its options lead to the same stage, whatever DAYBOOK_STAGE or the
 * shell's profile says. A local run has no account: for `aws` or `cdk` the line starts it again.
 */
export function pastedLine(
  program: 'aws' | 'cdk' | 'daybook',
  words: readonly string[],
  { stage, profile, region, local = false, directory: given }: CommandPlace,
): string {
  const directory = given === LOCAL_DIRECTORY ? undefined : given;
  const lineOf = (...line: readonly string[]) => line.map(shellWord).join(' ');
  if (program === 'daybook') {
    const place = local ? ['--local', ...optionsOf({ directory })] : optionsOf({ stage, profile, region });
    return lineOf('npx', 'daybook', ...words, ...place);
  }
  if (local) return lineOf('npm', 'start', '--', '--serve', ...optionsOf({ directory }));
  if (program === 'aws') return lineOf('aws', ...words, ...optionsOf({ profile, region }));
  const context = stage === undefined ? [] : ['-c', `stage=${stage}`];
  return lineOf('npx', 'cdk', ...words, ...context, ...optionsOf({ profile }));
}

function onStage(command: NoticeCommand, stage: string, bucket: string): string {
  const aws = (...words: string[]) => pastedLine('aws', words, { stage });
  switch (command.does) {
    case 'daybook':
      return pastedLine('daybook', command.words, { stage });
    case 'show object':
      return aws('s3', 'cp', `s3://${bucket}/${command.key}`, '-');
    case 'show log': {
      const log = `/aws/lambda/daybook-${stage}-${command.functionName}`;
      return aws('logs', 'tail', log, '--since', '1d', '--filter-pattern', JSON.stringify(command.find));
    }
    case 'invoke':
      return aws(
        ...['lambda', 'invoke', '--function-name'],
        // The alias: people may call nothing else, and after a rollback it is the version that schedules call.
        `daybook-${stage}-${command.functionName}:live`,
        ...['--cli-binary-format', 'raw-in-base64-out', '--payload', JSON.stringify(command.event)],
        ...['--cli-read-timeout', '900', '/dev/stdout'],
      );
  }
}

function onThisMachine(command: NoticeCommand, bucket: string): string {
  const stored = (key: string) => shellWord(`${LOCAL_DIRECTORY}/s3/${bucket}/${key}`);
  switch (command.does) {
    case 'daybook':
      return pastedLine('daybook', command.words, { local: true });
    case 'show object':
      return `cat ${stored(command.key)}`;
    case 'show log':
      return `grep -F -e ${shellWord(command.find)} ${LOCAL_DIRECTORY}/daybook.log`;
    case 'invoke':
      return `echo ${shellWord(JSON.stringify(command.event))} | npm run invoke -- ${command.functionName} /dev/stdin`;
  }
}

export function commandLine(command: NoticeCommand, { stage, bucket }: NoticePlace): string {
  return stage === undefined ? onThisMachine(command, bucket) : onStage(command, stage, bucket);
}
