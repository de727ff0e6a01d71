// Runs a command of the command line in the process of the test: what it says and the code that it would end with, without
// the tenth of a second that a start takes. How a process ends and what a server does needs the built command.
import { CommanderError } from 'commander';
import { vi } from 'vitest';
import { createProgram } from '../../src/cli/create-program.ts';
import type { Finished } from './run-prepress.ts';

type Written = { readonly lines: string[]; readonly end: () => void };

const listenTo = (stream: NodeJS.WriteStream): Written => {
  const lines: string[] = [];
  const write = (text: unknown, ...rest: unknown[]): boolean => {
    lines.push(String(text));
    const done = rest.find((one) => typeof one === 'function') as (() => void) | undefined;
    done?.();
    return true;
  };
  const spy = vi.spyOn(stream, 'write').mockImplementation(write as typeof stream.write);
  return { lines, end: () => spy.mockRestore() };
};

/** The settings of whoever runs the tests do not reach it; one command at a time. */
export const runHere = async (
  folder: string,
  args: readonly string[],
  environment: Readonly<Record<string, string>> = {},
): Promise<Finished> => {
  const before = { folder: process.cwd(), env: process.env, code: process.exitCode };
  const [out, err] = [listenTo(process.stdout), listenTo(process.stderr)];
  try {
    process.chdir(folder);
    process.env = { PATH: before.env.PATH, TMPDIR: before.env.TMPDIR, ...environment };
    process.exitCode = undefined;
    await createProgram(args)
      .parseAsync([...args], { from: 'user' })
      .catch((error: unknown) => {
        if (!(error instanceof CommanderError)) throw error;
        process.exitCode = error.exitCode === 0 ? 0 : 2;
      });
    const code = process.exitCode === undefined ? null : Number(process.exitCode);
    return { code, stdout: out.lines.join(''), stderr: err.lines.join('') };
  } finally {
    process.chdir(before.folder);
    process.env = before.env;
    process.exitCode = before.code;
    for (const { end } of [out, err]) end();
  }
};

/** The same of one that must succeed; returns what it printed. */
export const sayHere = async (
  folder: string,
  args: readonly string[],
  environment: Readonly<Record<string, string>> = {},
): Promise<string> => {
  const { code, stdout, stderr } = await runHere(folder, args, environment);
  if (code !== 0) throw new Error(`prepress ${args.join(' ')} ended with ${code}:\n${stderr}`);
  return stdout;
};
