import type { CommandUnknownOpts } from '@commander-js/extra-typings';
import { placeAfter } from './line-so-far.ts';
import type { Place } from './line-so-far.ts';
import { knownValues } from './known-values.ts';

/** What a word may be. */
interface Candidate {
  value: string;
  description: string;
}

/** Whether the option may perhaps be given again: a parser of its own may collect the values. */
function isRepeatable({ parseArg, variadic }: Place['options'][number]): boolean {
  return variadic || parseArg !== undefined;
}

function optionCandidates({ options, given }: Place): Candidate[] {
  const open = options.filter((option) => isRepeatable(option) || !given.has(option.long ?? ''));
  return [
    ...open.flatMap(({ long, description }) => (long === undefined ? [] : [{ value: long, description }])),
    { value: '--help', description: 'display help for command' },
  ];
}

function commandCandidates(command: CommandUnknownOpts): Candidate[] {
  return command
    .createHelp()
    .visibleCommands(command)
    .filter((one) => one.name() !== 'help')
    .map((one) => ({ value: one.name(), description: one.description() }));
}

function plain(values: readonly string[]): Candidate[] {
  return values.map((value) => ({ value, description: '' }));
}

function operandCandidates({ command, operands, isOperand }: Place, words: readonly string[]): Candidate[] {
  if (operands.length === 0 && !isOperand && command.commands.length > 0) return commandCandidates(command);
  const declared = command.registeredArguments;
  const last = declared.at(-1);
  const argument = declared[operands.length] ?? (last?.variadic === true ? last : undefined);
  if (argument === undefined) return [];
  return plain(argument.argChoices ?? knownValues(argument.name(), operands, words));
}

function candidates(program: CommandUnknownOpts, words: readonly string[], current: string): Candidate[] {
  const place = placeAfter(program, words);
  if (place.valueOf !== undefined) {
    const { argChoices, valueName } = valueNameOf(place.valueOf);
    return plain(argChoices ?? knownValues(valueName, place.operands, words));
  }
  const [, name] = /^(--[^=]+)=/.exec(current) ?? [];
  if (name !== undefined && !place.isOperand) {
    const option = place.options.find(({ long }) => long === name);
    if (option === undefined) return [];
    const { argChoices, valueName } = valueNameOf(option);
    const values = argChoices ?? knownValues(valueName, place.operands, words);
    return plain(values.map((value) => `${name}=${value}`));
  }
  if (current.startsWith('-') && !place.isOperand) return optionCandidates(place);
  return operandCandidates(place, words);
}

/** What a value of the option is called: `code` for `--merchant <code>`, `stage` for `--stage <name>`. */
function valueNameOf(option: Place['options'][number]) {
  const [, written = ''] = /[<[]([\w-]+)/.exec(option.flags) ?? [];
  return { argChoices: option.argChoices, valueName: written === 'name' ? option.name() : written };
}

/**
 * What the word may be that is typed now: a line for each, with its description after a tab. No line: a file, perhaps.
 *
 * @param words the words before it, after the name of the program
 * @param typed the word so far
 */
export function complete(program: CommandUnknownOpts, words: readonly string[], typed: string): string {
  // bash gives the sign of `--day=` as a word of its own.
  const current = typed === '=' ? '' : typed;
  return candidates(program, words, current)
    .filter(({ value }) => value.startsWith(current))
    .map(({ value, description }) => `${value}\t${description.split('\n', 1)[0] ?? ''}\n`)
    .join('');
}
