// The command line as one program: its names and options come from specs/, each command's work from commands/.
import { Command, InvalidArgumentError } from 'commander';
import packageFacts from '../../package.json' with { type: 'json' };
import { findNearestName } from '../base/text/nearest-name.ts';
import { toPrintableLines } from '../base/text/printable.ts';
import { printErrorJson } from '../serve/workspace/report.ts';
import { action, fullNameOf, withGlobalOptions } from './commands/command.ts';
import { GROUPS } from './specs/group-commands.ts';
import { COMMANDS } from './specs/site-commands.ts';
import type { Spec } from './specs/spec.ts';

/** `args`: the words that will be parsed. */
export const createProgram = (args: readonly string[] = process.argv): Command => {
  const tell = args.includes('--json') ? tellAsJson : tellPeople;
  const program = new Command('prepress')
    .description('Your publishing database as static JSON, kept up to date after every edit.')
    .version(packageFacts.version, '-v, --version')
    .exitOverride()
    .enablePositionalOptions()
    // What is quoted of the command line may hold what a terminal obeys.
    .configureOutput({
      outputError: (text) =>
        tell(
          withMeant(text, [...COMMANDS.map(nameOf), 'prepress --version']),
          '"prepress --help" lists the commands; options come after the command.',
        ),
    });
  for (const spec of COMMANDS) add(program, spec, tell);
  for (const group of GROUPS) {
    const command = program.command(group.name).description(group.help);
    command.configureOutput({
      outputError: (text) =>
        tell(
          withMeant(text, group.specs.map(nameOf)),
          `"prepress ${group.name} --help" lists the commands.`,
        ),
    });
    for (const spec of group.specs) add(command, spec, tell);
    addHelp(command);
  }
  addHelp(program);
  return program;
};

const nameOf = ({ usage }: Spec): string => usage.split(' ')[0] ?? '';

/** In place of commander's own, which answers an unknown name with the whole help. */
const addHelp = (parent: Command): void => {
  const show = (words: readonly string[]): void => {
    let shown = parent;
    for (const word of words) {
      const names = shown.commands.map((one) => one.name());
      if (names.length === 0) break;
      shown = shown.commands[names.indexOf(word)] ?? shown.error(unknownCommand(word, names));
    }
    shown.help();
  };
  parent
    .helpCommand(false)
    .command('help [command...]')
    .description('show the help of a command')
    .action(show);
};

const unknownCommand = (word: string, names: readonly string[]): string => {
  const near = findNearestName(word, names);
  return `error: unknown command '${word}'\n${near === null ? '' : `(Did you mean ${near}?)\n`}`;
};

type Tell = (text: string, hint: string) => void;

const sentenceOf = (text: string): string => text.trimEnd().replace(/^error: /, '');

/** What is quoted of the command line may hold what a terminal obeys. */
const tellPeople: Tell = (text, hint) => {
  const lines = `prepress: ${sentenceOf(text)}\n${hint === '' ? '' : `${hint}\n`}`;
  process.stderr.write(toPrintableLines(lines));
};

const tellAsJson: Tell = (text, hint) => {
  const message = sentenceOf(text).replaceAll('\n', ' ');
  printErrorJson({ code: 'USAGE', message, hint, details: null });
};

const add = (parent: Command, spec: Spec, tell: Tell): void => {
  const { usage, help, examples, inner = [], options = [], required = [] } = spec;
  const command = withGlobalOptions(parent.command(usage).description(help));
  // Options after a command of its own are that one's.
  command.enablePositionalOptions(inner.length > 0);
  for (const [flags, description] of options) command.option(flags, description);
  for (const [flags, description] of required) command.requiredOption(flags, description, onlyOnce);
  for (const one of inner) add(command, one, tell);
  command.configureOutput({
    outputError: (text) => {
      const meant = mistypedInner(command, inner, text);
      const next = `"prepress ${fullNameOf(command)} --help" lists the commands.`;
      tell(
        meant ?? withoutEnding(withExtra(command, text)),
        meant === null ? nextStep(command, examples, text) : next,
      );
    },
  });
  const shown = examples.map((line) => `  prepress ${line}`).join('\n');
  command.addHelpText('after', `\nExamples:\n${shown}`);
  command.action(action(spec));
};

/** Of two values, one would be dropped. */
const onlyOnce = (value: string, before?: string): string => {
  if (before === undefined) return value;
  throw new InvalidArgumentError(`It is the second one, after '${before}'.`);
};

/** Words that other programs have for what a command does, and what it may be called here. */
const OTHER_WORDS: Readonly<Record<string, readonly string[]>> = {
  add: ['create', 'write'],
  new: ['create'],
  delete: ['revoke', 'remove'],
  remove: ['revoke', 'delete'],
  rm: ['revoke', 'delete', 'remove'],
  ls: ['list'],
  show: ['list'],
  start: ['serve'],
  version: ['prepress --version'],
};

/** Names the command that another word stands for, before what commander names: those that are spelled alike. */
const withMeant = (error: string, known: readonly string[]): string => {
  const [line = '', word = ''] = /^error: unknown command '(\w+)'/.exec(error) ?? [];
  const names = Object.hasOwn(OTHER_WORDS, word) ? OTHER_WORDS[word] : [];
  const meant = names?.find((name) => known.includes(name));
  return meant === undefined ? error : `${line}\n(Did you mean ${meant}?)\n`;
};

/** Options that end something, or remove files that readers may still use, are named to who began to write them alone; --force stands for --full. */
const withoutEnding = (error: string): string => {
  const [line = '', word = ''] = /^error: unknown option '--([\w-]+)'\n/.exec(error) ?? [];
  const [, ending] = /\(Did you mean --(forget|detach)\?\)/.exec(error) ?? [];
  if (ending === undefined || word.startsWith(ending.slice(0, 4))) return error;
  return word === 'force' ? `${line}(Did you mean --full?)\n` : line;
};

/** Commander counts what is too much, and does not name it. */
const withExtra = ({ args }: Command, error: string): string => {
  const [, taken] = /^error: too many arguments for '[^']+'. Expected (\d+)/.exec(error) ?? [];
  if (taken === undefined) return error;
  return `${error.trimEnd().slice(0, -1)}: ${args.slice(Number(taken)).join(' ')}.\n`;
};

/** Says which command was meant by a first word that a command with commands of its own does not take; else null. */
const mistypedInner = (command: Command, inner: Spec['inner'], error: string): string | null => {
  const [name = ''] = command.args;
  const names = (inner ?? []).map(nameOf);
  if (!error.startsWith('error: too many arguments')) return null;
  return findNearestName(name, names) && unknownCommand(name, names);
};

/** The example with the option that the error names, else the first; without one that says more, what lists the options. */
const nextStep = (command: Command, examples: readonly string[], error: string): string => {
  const [, named] = /^error: (?:unknown |required )?option '(--[\w-]+)/.exec(error) ?? [];
  const of = (option: string): string | undefined => examples.find((one) => one.includes(option));
  // A word such as images, where --images is meant.
  const example = named === undefined ? (of(`--${command.args[0]} `) ?? examples[0]) : of(named);
  // The command alone is what was typed.
  if (example !== undefined && example !== fullNameOf(command))
    return `For example: prepress ${example}`;
  return `"prepress ${fullNameOf(command)} --help" lists the options.`;
};
