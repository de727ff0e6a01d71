// docs/limits.md as the program has its limits and errors: both tables are made of the two files that own them.
import { ERRORS } from '../../src/base/errors.ts';
import * as LIMITS from '../../src/base/limits.ts';
import { readText } from '../tidy/source-files.ts';

const HEAD = `# Limits and errors

A test keeps this page equal to the program. Limits that can be chosen are [settings](settings.md); the greatest length of a field is in the
description of the admin interface (\`/admin/openapi.json\`).

## Limits`;

const ERRORS_HEAD = `## Errors

Commands print \`prepress: sentence\` and what to do, and with \`--json\` the code. The admin interface answers with the status.`;

const VALUES: ReadonlyMap<string, number> = new Map(Object.entries(LIMITS));

const UNITS: readonly (readonly [end: RegExp, unit: string])[] = [
  [/_BYTES/, ' bytes'],
  [/_CHARACTERS/, ' characters'],
  [/_DAYS$/, ' days'],
];

const MS: readonly (readonly [ms: number, unit: string])[] = [
  [24 * 3_600_000, ' days'],
  [60_000, ' minutes'],
  [1_000, ' s'],
];

const shown = (name: string, value: number): string => {
  const count = (number: number): string => number.toLocaleString('en');
  if (/_MS(?:_|$)/.test(name)) {
    const [ms = 1, unit = ' ms'] = MS.find(([one]) => value >= 2 * one) ?? [];
    return count(value / ms) + unit;
  }
  return count(value) + (UNITS.find(([end]) => end.test(name))?.[1] ?? '');
};

/** Each limit has the comment over it for its row. */
const limitRows = (): string[] =>
  [...readText('src/base/limits.ts').matchAll(/^(.*)\nexport const (\w+)/gm)].map(
    ([, comment = '', name = '']) => {
      const text = /^\/\*\* (.+?)\.? \*\/$/.exec(comment)?.[1] ?? `no comment of one line: ${name}`;
      return `| ${text} | ${shown(name, VALUES.get(name) ?? 0)} |`;
    },
  );

const errorRows = (): string[] =>
  Object.entries(ERRORS).map(([code, { status, exitCode, meaning, hint }]) => {
    const todo = hint === '' ? '' : ` ${hint}`;
    return `| \`${code}\` | ${status} | ${exitCode} | ${meaning}${todo} |`;
  });

export const limitsPage = (): string =>
  `${[
    HEAD,
    `| what | limit |\n| --- | --- |\n${limitRows().join('\n')}`,
    ERRORS_HEAD,
    `| code | status | exit code | meaning, and what to do |\n| --- | --- | --- | --- |\n${errorRows().join('\n')}`,
  ].join('\n\n')}\n`;
