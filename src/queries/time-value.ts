// Times as filters write them: a year, a month, a day or a time of day, in UTC unless they name an offset. Parts are
// read one by one, because runtimes differ in what Date.parse takes. Runtime-neutral, and written so that the oldest of
// the edge runtimes can run it.

const DATE = /^(\d{4})(?:-(\d\d))?(?:-(\d\d))?$/;
const DATE_AND_TIME = /^(\d{4}-\d\d-\d\d)[ Tt]([0-9:.]+) ?([Zz]|[+-]\d\d:?\d\d)?$/;
const TIME_OF_DAY = /^(\d\d):(\d\d)(?::(\d\d)(?:\.(\d{1,9}))?)?$/;

/** Milliseconds since 1970; NaN for what is no time. */
export const parseTimeValue = (text: string): number => {
  const match = DATE_AND_TIME.exec(text);
  if (match === null) return parseDay(text);
  const day = parseDay(match[1] as string);
  return day + parseTimeOfDay(match[2] as string) - parseOffset(match[3]);
};

const parseDay = (text: string): number => {
  const match = DATE.exec(text);
  if (match === null) return Number.NaN;
  const month = numberOf(match[2], 1);
  const day = numberOf(match[3], 1);
  const date = new Date(0);
  date.setUTCFullYear(Number(match[1]), month - 1, day);
  const isDay = date.getUTCMonth() === month - 1 && date.getUTCDate() === day;
  return isDay ? date.getTime() : Number.NaN;
};

const parseTimeOfDay = (text: string): number => {
  const match = TIME_OF_DAY.exec(text);
  if (match === null) return Number.NaN;
  const hours = Number(match[1]);
  const minutes = Number(match[2]);
  const seconds = numberOf(match[3], 0);
  if (hours > 23 || minutes > 59 || seconds > 59) return Number.NaN;
  const fraction = Number(`${numberOf(match[4], 0) === 0 ? '' : match[4]}000`.slice(0, 3));
  return ((hours * 60 + minutes) * 60 + seconds) * 1000 + fraction;
};

const parseOffset = (text: string | undefined): number => {
  if (text === undefined || text === 'Z' || text === 'z') return 0;
  const minutes = Number(text.slice(1, 3)) * 60 + Number(text.slice(-2));
  return (text.charAt(0) === '-' ? -minutes : minutes) * 60_000;
};

const numberOf = (text: string | undefined, absent: number): number =>
  text === undefined ? absent : Number(text);
