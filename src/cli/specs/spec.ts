// How the program knows a command: its words, its options and its work. --help and docs/commands.md are
// made from these.
import type { Work } from '../commands/command.ts';

// A command is loaded when it is run: `status` need not wait for the server's libraries.
export type Spec = Work & {
  readonly usage: string;
  readonly help: string;
  /** Whole lines after the program's name, for --help and docs/commands.md. */
  readonly examples: readonly string[];
  /** Commands of its own. */
  readonly inner?: readonly Spec[];
  readonly options?: readonly (readonly [string, string])[];
  readonly required?: readonly (readonly [string, string])[];
};

/** Commands that share a first word, such as `keys`. */
export type Group = {
  readonly name: string;
  readonly help: string;
  readonly specs: readonly Spec[];
};
