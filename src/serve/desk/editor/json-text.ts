// Where the values of a JSON text stand in it, so that they can be written back as they were: spelling, order
// of keys and spaces. The text is one that JSON.parse accepts.

export type JsonPlace = {
  readonly start: number;
  readonly end: number;
  /** The members of an object in their order, doubled names included; null for what is no object. */
  readonly members: readonly JsonMember[] | null;
  /** The items of an array; null for what is no array. */
  readonly items: readonly JsonPlace[] | null;
};

export type JsonMember = { readonly name: string; readonly place: JsonPlace };

/** Throws SyntaxError for a text that is no JSON, RangeError for one that is nested too deeply. */
export const placeValues = (text: string): JsonPlace => {
  JSON.parse(text);
  let at = 0;

  const skipSpace = (): void => {
    while (' \n\r\t'.includes(text[at] ?? '-')) at += 1;
  };

  const skipString = (): void => {
    at += 1;
    while (text[at] !== '"') at += text[at] === '\\' ? 2 : 1;
    at += 1;
  };

  /** Calls `read` at each part between two brackets, and stands behind them afterwards. */
  const readParts = (read: () => void): void => {
    at += 1;
    skipSpace();
    while (text[at] !== '}' && text[at] !== ']') {
      read();
      skipSpace();
      if (text[at] === ',') at += 1;
      skipSpace();
    }
    at += 1;
  };

  const readObject = (start: number): JsonPlace => {
    const members: JsonMember[] = [];
    readParts(() => {
      const from = at;
      skipString();
      const name = JSON.parse(text.slice(from, at)) as string;
      skipSpace();
      at += 1;
      members.push({ name, place: readValue() });
    });
    return { start, end: at, members, items: null };
  };

  const readArray = (start: number): JsonPlace => {
    const items: JsonPlace[] = [];
    readParts(() => {
      items.push(readValue());
    });
    return { start, end: at, members: null, items };
  };

  const readValue = (): JsonPlace => {
    skipSpace();
    const start = at;
    const first = text[at];
    if (first === '{') return readObject(start);
    if (first === '[') return readArray(start);
    if (first === '"') skipString();
    else while (at < text.length && !' \n\r\t,]}'.includes(text[at] ?? '')) at += 1;
    return { start, end: at, members: null, items: null };
  };

  return readValue();
};

/** The place of a member; undefined unless its name stands there exactly once. */
export const findMember = (place: JsonPlace, name: string): JsonPlace | undefined => {
  const found = place.members?.filter((member) => member.name === name) ?? [];
  return found.length === 1 ? found[0]?.place : undefined;
};

/** The object's text with some members replaced, each by JSON text; new ones stand at its end. */
export const replaceMembers = (
  text: string,
  object: JsonPlace,
  changes: Readonly<Record<string, string>>,
): string => {
  const members = object.members ?? [];
  let written = '';
  let from = object.start;
  for (const { name, place } of members) {
    const change = changes[name];
    if (change === undefined) continue;
    written += text.slice(from, place.start) + change;
    from = place.end;
  }
  const known = new Set(members.map(({ name }) => name));
  const added = Object.entries(changes)
    .filter(([name]) => !known.has(name))
    .map(([name, change]) => `${JSON.stringify(name)}:${change}`);
  const end = object.end - 1;
  if (added.length === 0) return written + text.slice(from, object.end);
  return `${written}${text.slice(from, end)}${members.length > 0 ? ',' : ''}${added.join(',')}}`;
};
