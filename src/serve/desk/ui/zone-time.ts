// Times in the time zone of the publication, which need not be this computer's: as words, and for fields of date and time,
// which know no zone.

/** The zone of this computer. */
export const ownZone = (): string => new Intl.DateTimeFormat().resolvedOptions().timeZone;

/** This computer's in place of one that there is not: any program may store it. */
export const knownZone = (zone: string): string => {
  try {
    return new Intl.DateTimeFormat('en', { timeZone: zone }).resolvedOptions().timeZone;
  } catch {
    return ownZone();
  }
};

/** A dash for none. */
export const timeIn = (text: string | null | undefined, zone: string): string =>
  text
    ? new Intl.DateTimeFormat('en-GB', {
        dateStyle: 'medium',
        timeStyle: 'short',
        timeZone: zone,
      }).format(new Date(text))
    : '–';

/** Names the zone, and what this computer's clock shows then, where that is another time. */
export const zoneWords = (text: string | null, zone: string): string => {
  const here = timeIn(text, ownZone());
  return timeIn(text, zone) === here ? zone : `${zone}; ${here} at this computer`;
};

const MINUTE = 'yyyy-mm-ddThh:mm'.length;

/** What a field of date and time shows; empty for none. */
export const toInput = (text: string, zone: string): string =>
  text === ''
    ? ''
    : new Date(Date.parse(text) + aheadMs(text, zone)).toISOString().slice(0, MINUTE);

/** The time of such a field in UTC; empty while it is no time. One that a clock skips is an hour later. */
export const fromInput = (field: string, zone: string): string => {
  const ms = Date.parse(`${field}Z`);
  if (Number.isNaN(ms)) return '';
  const guess = ms - aheadMs(new Date(ms).toISOString(), zone);
  const time = ms - aheadMs(new Date(guess).toISOString(), zone);
  const isShown = time + aheadMs(new Date(time).toISOString(), zone) === ms;
  return new Date(isShown ? time : Math.max(guess, time)).toISOString();
};

/** By how much the clocks of the zone are ahead of UTC then. */
const aheadMs = (text: string, zone: string): number => {
  const at = Math.floor(Date.parse(text) / 1000) * 1000;
  const parts = new Intl.DateTimeFormat('en', {
    timeZone: zone,
    hourCycle: 'h23',
    ...{ year: 'numeric', month: 'numeric', day: 'numeric' },
    ...{ hour: 'numeric', minute: 'numeric', second: 'numeric' },
  }).formatToParts(at);
  const of = (type: Intl.DateTimeFormatPartTypes): number =>
    Number(parts.find((part) => part.type === type)?.value);
  const shown = Date.UTC(of('year'), of('month') - 1, of('day'), of('hour'), of('minute'));
  return shown + of('second') * 1000 - at;
};
