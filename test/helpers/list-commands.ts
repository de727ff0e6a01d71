// Every command with its whole name and its words on the line, for documents and their tests.
import { GROUPS } from '../../src/cli/specs/group-commands.ts';
import { COMMANDS } from '../../src/cli/specs/site-commands.ts';
import type { Spec } from '../../src/cli/specs/spec.ts';

export type NamedCommand = {
  /** Such as `keys create`. */
  readonly name: string;
  /** With what it is given: `keys revoke <id>`. */
  readonly usage: string;
  readonly spec: Spec;
};

export const listCommands = (): NamedCommand[] => [
  ...COMMANDS.flatMap((spec) => [named(spec), ...(spec.inner ?? []).map(within(named(spec).name))]),
  ...GROUPS.flatMap(({ name, specs }) => specs.map(within(name))),
];

const named = (spec: Spec, prefix = ''): NamedCommand => {
  const usage = `${prefix}${spec.usage}`;
  const name = usage
    .split(' ')
    .filter((word) => /^[a-z]/.test(word))
    .join(' ');
  return { name, usage, spec };
};

const within =
  (first: string) =>
  (spec: Spec): NamedCommand =>
    named(spec, `${first} `);
