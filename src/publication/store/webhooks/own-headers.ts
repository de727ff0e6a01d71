// Headers that a webhook sends beside those of Prepress: which names are free, and how many and how long they may be. A value
// is a secret, so no sentence here repeats one.
import {
  OWN_HEADER_CHARACTERS_MAX,
  OWN_HEADERS_CHARACTERS_MAX,
  OWN_HEADERS_MAX,
} from '../../../base/limits.ts';

export type OwnHeaders = Readonly<Record<string, string>>;

const NAME_LENGTH_MAX = 64;

const NAME = /^[A-Za-z0-9!#$%&'*+.^_`|~-]+$/;
const VALUE = /^[\x20-\x7e]+$/;

/** What frames the request, belongs to one connection, or is written by Prepress itself. */
const RESERVED = new Set(
  `host connection keep-alive upgrade te trailer transfer-encoding expect content-length content-type
   content-encoding content-version user-agent x-ghost-signature`.split(/\s+/),
);
const RESERVED_START = /^(?:webhook|proxy|sec)-/;

/** What is wrong with the headers, as the end of a sentence; null when nothing is. */
export const findHeadersFault = (headers: OwnHeaders): string | null => {
  const entries = Object.entries(headers);
  if (entries.length > OWN_HEADERS_MAX) return `must not hold more than ${OWN_HEADERS_MAX} headers`;
  const seen = new Set<string>();
  let length = 0;
  for (const [name, value] of entries) {
    const fault = findHeaderFault(name, value);
    if (fault !== null) return fault;
    if (seen.has(name.toLowerCase())) return `names ${name} twice`;
    seen.add(name.toLowerCase());
    length += name.length + value.length;
  }
  return length > OWN_HEADERS_CHARACTERS_MAX
    ? `must not be longer than ${OWN_HEADERS_CHARACTERS_MAX} characters together`
    : null;
};

const findHeaderFault = (name: string, value: string): string | null => {
  if (name.length > NAME_LENGTH_MAX || !NAME.test(name)) {
    // A whole header that somebody took for its name has its value after the colon.
    const shown = JSON.stringify(name.split(':', 1).join('').slice(0, NAME_LENGTH_MAX));
    return `holds ${shown}, a name that no header can have`;
  }
  const key = name.toLowerCase();
  if (RESERVED.has(key) || RESERVED_START.test(key))
    return `must not hold ${name}, which is written by Prepress or by the connection`;
  if (value.length > OWN_HEADER_CHARACTERS_MAX)
    return `holds a value of ${name} that is longer than ${OWN_HEADER_CHARACTERS_MAX} characters`;
  if (!VALUE.test(value) || value.trim() !== value)
    return `holds a value of ${name} that is empty, not ASCII, or begins or ends with a space`;
  return null;
};

/** Sets each header that is given, and removes those given as null; names are the same in any case. */
export const mergeHeaders = (
  known: OwnHeaders,
  given: Readonly<Record<string, string | null>>,
): OwnHeaders => {
  const names = new Set(Object.keys(given).map((name) => name.toLowerCase()));
  const kept = Object.entries(known).filter(([name]) => !names.has(name.toLowerCase()));
  const set = Object.entries(given).filter((one): one is [string, string] => one[1] !== null);
  return Object.fromEntries([...kept, ...set]);
};
