// Times as filters write them: a year, a month, a day or a time of day, in UTC unless they name an offset. Runtimes
// differ in what they take for a time, so they are only given the one form that all of them read. Runtime-neutral, and
// written so that the oldest of the edge runtimes can run it.

const TIME =
  /^(\d{4}(?:-\d\d){0,2})(?:[ Tt](\d\d:\d\d)(?:(:\d\d)(?:\.(\d{1,9}))?)? ?([Zz]|[+-]\d\d:?\d\d)?)?$/;

/** Milliseconds since 1970; NaN for what is no time. */
export const parseTimeValue = (text: string): number => {
  const match = TIME.exec(text);
  if (match === null) return NaN;
  const written = match[1] as string;
  const day = `${written}-01-01`.slice(0, 10);
  const fraction = `${match[4] || ''}000`.slice(0, 3);
  const time = `${day}T${match[2] || '00:00'}${match[3] || ':00'}.${fraction}Z`;
  const date = new Date(time);
  const isPart = match[2] === undefined || written === day;
  // Days and hours that there are not become others, or none.
  return isPart && date.toJSON() === time ? date.getTime() - offsetOf(match[5]) : NaN;
};

const offsetOf = (text: string | undefined): number => {
  if (text === undefined || text.length < 2) return 0;
  const minutes = Number(text.slice(1, 3)) * 60 + Number(text.slice(-2));
  return (text.charAt(0) === '-' ? -minutes : minutes) * 60_000;
};
