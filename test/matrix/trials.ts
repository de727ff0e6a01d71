// One test makes many requests: each is a trial, each difference is a row, and the test fails once, with the table of all rows.
import { expect } from 'vitest';

/** Notes a difference unless `got` equals `expected`; a RegExp stands for the texts that it matches. */
export type Compare = (what: string, got: unknown, expected: unknown) => void;

export type Trial = {
  /** The host and its configuration. */
  readonly host: string;
  readonly request: string;
  readonly hold: (compare: Compare) => unknown;
};

export type Difference = {
  readonly host: string;
  readonly request: string;
  readonly what: string;
  readonly expected: string;
  readonly got: string;
};

/** Of what a trial that threw something else than a failed assertion: no answer came, or none that can be read. */
export const BROKEN = 'no answer';
const ROWS_MAX = 60;

const isSame = (got: unknown, expected: unknown): boolean => {
  if (Object.is(got, expected)) return true;
  if (typeof got === 'string' && typeof expected === 'string') return false;
  if (expected instanceof RegExp) return typeof got === 'string' && expected.test(got);
  if (Buffer.isBuffer(got) && Buffer.isBuffer(expected)) return got.equals(expected);
  try {
    expect(got).toEqual(expected);
    return true;
  } catch {
    return false;
  }
};

const textOf = (value: unknown): string =>
  typeof value === 'string' || value instanceof RegExp || Buffer.isBuffer(value)
    ? String(value)
    : (JSON.stringify(value) ?? 'undefined');

const cut = (text: string, length: number): string =>
  text.length > length ? `${text.slice(0, length - 1)}…` : text;

/** Both texts from shortly before the place where they begin to differ. */
const shown = (got: unknown, expected: unknown): { got: string; expected: string } => {
  const [one, other] = [textOf(got), textOf(expected)];
  let at = 0;
  while (at < one.length && one[at] === other[at]) at += 1;
  const from = one.length > 70 || other.length > 70 ? Math.max(0, at - 15) : 0;
  const part = (text: string): string => cut(`${from > 0 ? '…' : ''}${text.slice(from)}`, 70);
  return { got: part(one), expected: part(other) };
};

const differencesOf = async ({ host, request, hold }: Trial): Promise<Difference[]> => {
  const found: Difference[] = [];
  try {
    await hold((what, got, expected) => {
      if (!isSame(got, expected)) found.push({ host, request, what, ...shown(got, expected) });
    });
  } catch (error) {
    const { name, message } = error as Error;
    const what = name === 'AssertionError' ? 'answer' : BROKEN;
    found.push({ host, request, what, expected: '', got: cut(message.replace(/\s+/g, ' '), 150) });
  }
  return found;
};

/** `atOnce`: trials that are under way together. */
export const findDifferences = async (
  trials: readonly Trial[],
  atOnce = 6,
): Promise<Difference[]> => {
  const found: Difference[][] = [];
  const waiting = [...trials.entries()];
  const work = async (): Promise<void> => {
    for (let next = waiting.shift(); next !== undefined; next = waiting.shift()) {
      const [at, trial] = next;
      found[at] = await differencesOf(trial);
    }
  };
  await Promise.all(Array.from({ length: atOnce }, work));
  return found.flat();
};

const COLUMNS = ['host', 'request', 'what', 'expected', 'got'] as const;

const tableOf = (rows: readonly Difference[]): string => {
  const lines = [
    Object.fromEntries(COLUMNS.map((name) => [name, name])) as unknown as Difference,
    ...rows.slice(0, ROWS_MAX).map((row) => ({ ...row, request: cut(row.request, 70) })),
  ];
  const widths = COLUMNS.map((name) => Math.max(...lines.map((line) => line[name].length)));
  const text = lines.map((line) =>
    COLUMNS.map((name, at) => line[name].replace(/[\r\n\t]/g, ' ').padEnd(widths[at] ?? 0))
      .join('  ')
      .trimEnd(),
  );
  const rest = rows.length - ROWS_MAX;
  return [...text, ...(rest > 0 ? [`and ${rest} more`] : [])].join('\n');
};

/** Makes all trials; fails with the table of what differed. */
export const holdAll = async (trials: readonly Trial[], atOnce?: number): Promise<void> => {
  expect(trials.length).toBeGreaterThan(0);
  const rows = await findDifferences(trials, atOnce);
  if (rows.length === 0) return;
  const requests = new Set(rows.map(({ host, request }) => `${host} ${request}`)).size;
  const text = `${requests} of ${trials.length} requests differ:\n${tableOf(rows)}`;
  // A host that answers nothing has failed in another way than one that answers wrongly.
  if (rows.every(({ what }) => what === BROKEN)) throw new Error(text);
  expect.fail(text);
};
