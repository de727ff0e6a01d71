// Log lines for people: what is JSON for programs becomes a time, a level, a sentence and its facts.
import { parseJsonObject } from '../../../base/text/json-value.ts';
import { toPrintable, toPrintableLines } from '../../../base/text/printable.ts';

const LEVELS: Readonly<Record<number, string>> = {
  10: 'trace',
  20: 'debug',
  30: 'info',
  40: 'warn',
  50: 'error',
  60: 'fatal',
};

type Fields = Readonly<Record<string, unknown>>;

/** `line` is one line of JSON; what is none stays as it is. */
export const readableLine = (line: string): string => {
  const fields = parseJsonObject(line);
  if (fields === null) return line;
  const { level, time, msg, err, ...facts } = fields;
  const parts = [
    new Date(Number(time)).toTimeString().slice(0, 8),
    (LEVELS[Number(level)] ?? String(level)).padEnd(5),
    typeof msg === 'string' ? toPrintable(msg) : '',
    ...Object.entries(facts).map(([name, value]) => `${name}=${show(value)}`),
  ];
  return `${parts.filter((part) => part !== '').join(' ')}${showError(err)}\n`;
};

const show = (value: unknown): string =>
  toPrintable(typeof value === 'string' ? value : JSON.stringify(value));

/** An error of the catalogue needs only its sentence, and what to do. */
const showError = (err: unknown): string => {
  if (typeof err !== 'object' || err === null) return '';
  const { name, message, stack, hint = '' } = err as Fields;
  const isKnown = name === 'PrepressError' || typeof stack !== 'string';
  if (isKnown) return `: ${toPrintable(`${message} ${hint}`.trim())}`;
  return `\n${toPrintableLines(stack)}`;
};
