// The command line as one program: its names and options come from specs/, each command's work from commands/.
import { Command } from 'commander';
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
    .version(packageFacts.version)
    .exitOverride()
    .enablePositionalOptions()
    // What is quoted of the command line may hold what a terminal obeys.
    .configureOutput({
      outputError: (text) =>
        tell(
          withMeant(text, COMMANDS),
          '"prepress --help" lists the commands; options come after the command.',
        ),
    });
  for (const spec of COMMANDS) add(program, spec, tell);
  for (const group of GROUPS) {
    const command = program.command(group.name).description(group.help);
    command.configureOutput({
      outputError: (text) =>
        tell(withMeant(text, group.specs), `"prepress ${group.name} --help" lists the commands.`),
    });
    for (const spec of group.specs) add(command, spec, tell);
  }
  return program;
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
  for (const [flags, description] of required) command.requiredOption(flags, description);
  for (const one of inner) add(command, one, tell);
  command.configureOutput({
    outputError: (text) => {
      const meant = mistypedInner(command, inner, text);
      const next = `"prepress ${fullNameOf(command)} --help" lists the commands.`;
      tell(meant ?? text, meant === null ? nextStep(command, examples, text) : next);
    },
  });
  const shown = examples.map((line) => `  prepress ${line}`).join('\n');
  command.addHelpText('after', `\nExamples:\n${shown}`);
  command.action(action(spec));
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
};

/** Names the command that another word stands for, before what commander names: those that are spelled alike. */
const withMeant = (error: string, specs: readonly Spec[]): string => {
  const [line = '', word = ''] = /^error: unknown command '(\w+)'/.exec(error) ?? [];
  const names = Object.hasOwn(OTHER_WORDS, word) ? OTHER_WORDS[word] : [];
  const meant = names?.find((name) => specs.some(({ usage }) => usage.split(' ')[0] === name));
  return meant === undefined ? error : `${line}\n(Did you mean ${meant}?)\n`;
};

/** Says which command was meant by a first word that a command with commands of its own does not take; else null. */
const mistypedInner = (command: Command, inner: Spec['inner'], error: string): string | null => {
  const [name = ''] = command.args;
  const names = (inner ?? []).map(({ usage }) => usage.split(' ')[0] ?? '');
  const near = error.startsWith('error: too many arguments') ? findNearestName(name, names) : null;
  return near && `error: unknown command '${name}'\n(Did you mean ${near}?)\n`;
};

/** The example with the option that the error names, else the first; without one, what lists the options. */
const nextStep = (command: Command, examples: readonly string[], error: string): string => {
  const [, option] = /^error: (?:unknown |required )?option '(--[\w-]+)/.exec(error) ?? [];
  const example = option === undefined ? examples[0] : examples.find((one) => one.includes(option));
  if (example !== undefined) return `For example: prepress ${example}`;
  return `"prepress ${fullNameOf(command)} --help" lists the options.`;
};
