import { FUNCTIONS } from '#lib/functions.ts';
import type { FunctionName } from '#lib/functions.ts';
import type { CommandContext } from '../context.ts';
import type { ExitStatus } from '../perform.ts';
import { invokeFunction } from '../stage/invoke-function.ts';
import { isFunctionName } from '../stage/stage-outputs.ts';
import { UsageError } from '../terminal/command-errors.ts';
import { beginWork } from '../terminal/progress.ts';
import { shown } from '../terminal/shown-text.ts';
import { readEvent } from './read-event.ts';
import { samplesOf } from './samples.ts';
import { nearestText } from '../stage/nearest-text.ts';

/** The function with that name. @throws {UsageError} that names all functions */
function functionCalled(name: string): FunctionName {
  if (isFunctionName(name)) return name;
  const names = Object.keys(FUNCTIONS);
  const near = nearestText(name, names);
  const meant = near === undefined ? '' : `did you mean ${near}? `;
  throw new UsageError(
    `there is no function "${shown(name)}": ${meant}The functions are ${names.join(', ')}`,
  );
}

/** Does `daybook invoke`. */
export async function invoke(
  context: CommandContext,
  givenName: string,
  argument: string | undefined,
): Promise<ExitStatus> {
  const { output } = context;
  const name = functionCalled(givenName);
  const samples = samplesOf(name);
  if (argument === undefined) {
    output.result(samples, () => {
      for (const sample of samples)
        output.line(`${sample.name.padEnd(22)}  ${shown(inOneLine(sample.event), 110)}`);
    });
    return 0;
  }
  const event = await readEvent(argument, samples);
  const stage = await context.stage();
  const work = output.isJson ? undefined : beginWork(`Running ${stage.functions[name]}`);
  let answer;
  try {
    answer = await invokeFunction(stage, name, event);
  } finally {
    work?.stop();
  }
  output.result(answer, () => {
    // A function without an answer has none to show.
    if (answer === undefined) return;
    for (const line of JSON.stringify(answer, null, 2).split('\n')) output.line(line);
  });
  return 0;
}

/** JSON on one line, with blanks: `{ "kind": "daily" }`. */
function inOneLine(event: unknown): string {
  return JSON.stringify(event, null, 1).replace(/\n */g, ' ');
}
