import type { CommandUnknownOpts, Option } from '@commander-js/extra-typings';

/** Where a word is in a command line. */
export interface Place {
  command: CommandUnknownOpts;
  /** The options of the command, and of those that it belongs to. */
  options: readonly Option[];
  /** The long names that were given. */
  given: ReadonlySet<string>;
  /** The arguments before the word. */
  operands: readonly string[];
  /** The option whose value the word is, `undefined` when it is none. */
  valueOf: Option | undefined;
  /** Whether the word comes after `--`, so that it cannot be an option. */
  isOperand: boolean;
}

/** Options of a command that a person may give, with those of the commands above. */
function optionsOf(command: CommandUnknownOpts): Option[] {
  const own = command.options.filter(({ hidden }) => !hidden);
  return command.parent === null ? own : [...own, ...optionsOf(command.parent)];
}

function takesValue(option: Option): boolean {
  return option.required || option.optional;
}

/** bash gives `--day=x` as three words. */
function withoutLoneEquals(words: readonly string[]): string[] {
  return words.filter((word, index) => word !== '=' || words[index - 1]?.startsWith('--') !== true);
}

/**
 * Reads the words before the one that is completed, as commander would read them.
 *
 * @param words after the name of the program
 */
export function placeAfter(program: CommandUnknownOpts, words: readonly string[]): Place {
  let command = program;
  let valueOf: Option | undefined;
  let isOperand = false;
  const given = new Set<string>();
  const operands: string[] = [];
  for (const word of withoutLoneEquals(words)) {
    if (!isOperand && word.startsWith('-') && word !== '-') {
      isOperand = word === '--';
      const [name = ''] = word.split('=', 1);
      const option = optionsOf(command).find(({ long, short }) => name === long || name === short);
      given.add(option?.long ?? name);
      valueOf = option !== undefined && takesValue(option) && !word.includes('=') ? option : undefined;
      continue;
    }
    if (valueOf !== undefined) {
      // An option may have several values, up to the next option.
      if (!valueOf.variadic) valueOf = undefined;
      continue;
    }
    const inner = operands.length === 0 && !isOperand ? innerCommand(command, word) : undefined;
    if (inner === undefined) operands.push(word);
    else command = inner;
  }
  return { command, options: optionsOf(command), given, operands, valueOf, isOperand };
}

function innerCommand(command: CommandUnknownOpts, word: string): CommandUnknownOpts | undefined {
  return command.commands.find((one) => one.name() === word || one.aliases().includes(word));
}
