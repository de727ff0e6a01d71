// docs/commands.md as the program knows its commands: words, options, defaults and examples.
import { listCommands, type NamedCommand } from './list-commands.ts';

const HEAD = `# Commands

A test keeps this page equal to the program's own \`--help\`. Every command also takes these options:

| option | does |
| --- | --- |
| \`--database <file>\` | the publishing database (setting \`database\`) |
| \`--output <folder>\` | output folder (setting \`output\`) |
| \`--base-path <path>\` | path before /content and /admin (setting \`basePath\`) |
| \`--config <file>\` | settings file; default \`prepress.config.json\` |
| \`--json\` | prints the result as JSON, with names in snake case |
| \`--help\` | prints the options |

Each command exits with 0 (done), 1 (failed) or 2 (bad usage). Results go to standard output, logs to standard error. Without an
option, its [setting](settings.md) applies.`;

const sectionOf = ({ name, usage, spec }: NamedCommand): string => {
  const { help, examples, options = [], required = [] } = spec;
  const rows = [
    ...required.map(([flags, text]) => `| \`${flags}\` | ${text}; required |`),
    ...options.map(([flags, text]) => `| \`${flags}\` | ${text} |`),
  ];
  const table = rows.length === 0 ? [] : [`| option | does |\n| --- | --- |\n${rows.join('\n')}`];
  const lines = examples.map((line) => `npx prepress ${line}`).join('\n');
  const first = `## ${name}\n\n\`prepress ${usage}\`: ${help}.`;
  return [first, ...table, `\`\`\`sh\n${lines}\n\`\`\``].join('\n\n');
};

export const commandsPage = (): string =>
  `${[HEAD, ...listCommands().map(sectionOf)].join('\n\n')}\n`;
