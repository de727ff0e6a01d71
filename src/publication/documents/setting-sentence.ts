// A setting of the publication in a message: quoted, since another program may have stored anything, and short.
import { toPrintable } from '../../base/text/printable.ts';

const SHOWN_UNITS_MAX = 100;

export const settingSentence = (value: string): string =>
  toPrintable(JSON.stringify(value.slice(0, SHOWN_UNITS_MAX)));
