// What each column of a members CSV means: Ghost's own, those that other newsletter programs export (Mailchimp, Substack,
// Kit, Brevo and others), in Ghost's words, and what speaks of consent. Whoever left there must not be subscribed here.
import { isOnCalendar, parseImportTime, toReadable } from '../intake/import-time.ts';
import {
  type Answer,
  ASKS,
  type ConsentKind,
  findConsent,
  isConfirmation,
  isConfirmed,
  isNothing,
  isPostal,
  isWhen,
  readConsent,
} from './consent-columns.ts';
import {
  FIRST_NAMES,
  findForeignColumn,
  findMembersColumn,
  LAST_NAMES,
  type MembersColumn,
  NAMES,
  plainName,
  TIMES,
} from './members-columns.ts';
import { readYesNo } from './yes-no.ts';

/** Of MailerLite; it may hold when a reader subscribed, as may a column that is mapped to Ghost's. */
const SUBSCRIBED = 'subscribed';
export const READ: ReadonlySet<string> = new Set([
  ...NAMES,
  ...FIRST_NAMES,
  ...LAST_NAMES,
  ...TIMES,
]);

/** What a mapping says of a column that is to be left out; Ghost's own page sends the others. */
const IGNORED: ReadonlySet<string> = new Set(['ignore', '', 'null', 'undefined']);
export const isIgnored = (meaning: string): boolean => IGNORED.has(meaning.trim().toLowerCase());

/** What columns are, by the names that the header gives them. */
export type Mapping = Readonly<Record<string, string>>;

export type Columns = {
  /** Of each column of the file; null of others. */
  readonly fields: readonly (MembersColumn | null)[];
  /** As the file has them. */
  readonly written: readonly string[];
  /** As the lists here have them; empty of what is a field or left out. */
  readonly names: readonly string[];
  readonly consents: readonly {
    readonly at: number;
    readonly name: string;
    readonly kind: ConsentKind;
    /** It is ignored or of something else: it gives way to one that says that the reader is subscribed. */
    readonly yields: boolean;
    /** The mapping calls it Ghost's `subscribed_to_emails`: no other column answers for it. */
    readonly isAlone?: boolean;
    /** Of all lines, where no column has it. */
    readonly cell?: string;
  }[];
  /** Names of columns that nothing is taken from. */
  readonly unused: readonly string[];
  /** Those that may speak of consent or delivery. */
  readonly unclear: readonly string[];
};

export const planColumns = (header: readonly string[], mapping: Mapping = {}): Columns => {
  const written = header.map((name) => name.replace(/^\ufeff/, '').trim());
  const isMapped = (name: string): boolean => Object.hasOwn(mapping, name);
  const meant = written.map((name) => {
    if (!isMapped(name)) return name;
    const meaning = mapping[name] ?? '';
    return isIgnored(meaning) ? '' : meaning;
  });
  const fields = findFields(meant, written.map(isMapped));
  const names = meant.map((name, at) => (fields[at] === null ? plainName(name) : ''));
  const mayBeTime = (at: number): boolean =>
    [meant, written].some((some) => plainName(some[at] ?? '') === SUBSCRIBED) ||
    findMembersColumn(written[at] ?? '') !== 'subscribed_to_emails';
  const mayTell = (at: number): boolean => fields[at] === 'subscribed_to_emails';
  const tells = (at: number): boolean => mayTell(at) && !mayBeTime(at);
  const isTold = fields.some((_, at) => tells(at));
  const isTimed = fields.some((_, at) => mayTell(at));
  const kinds = findKinds(names, { isTold, isTimed }).map((kind, at) =>
    mayTell(at) && !tells(at) ? 'when' : kind,
  );
  /** Of what is ignored, or only looked through for words. */
  const yielding = written.map((name, at): ConsentKind | null => {
    if (kinds[at] !== null || mayTell(at)) return null;
    const own = isMapped(name) ? findConsent(name) : null;
    if (isOftenOfElse(own, name)) return 'place';
    if (own !== null && own !== 'unclear') return own;
    const isOfElse = fields[at] === null && !READ.has(names[at] ?? '');
    return isOfElse || fields[at] === 'labels' ? 'words' : null;
  });
  const where = (is: (at: number) => boolean): string[] =>
    written.filter((name, at) => name !== '' && is(at));
  return {
    fields,
    written,
    names,
    consents: written.flatMap((name, at) => {
      const kind = kinds[at] ?? yielding[at] ?? null;
      const yields = kinds[at] === null;
      const isAlone = mayTell(at) && isMapped(name);
      return kind === null || kind === 'unclear' ? [] : [{ at, kind, name, yields, isAlone }];
    }),
    unused: where((at) => fields[at] === null && kinds[at] === null && !READ.has(names[at] ?? '')),
    unclear: where((at) => kinds[at] === 'unclear'),
  };
};

/** There only a word of those who left counts. */
const isOftenOfElse = (kind: ConsentKind | 'unclear' | null, name: string): boolean =>
  kind === 'state' || (kind !== null && plainName(name) === 'type');

/** There a cancel date is of payment. */
const OF_SUBSTACK =
  /^(?:paid_(?:upgrade|subscription)_date|stripe_plan|subscription_source_(?:free|paid))$/;

/** A time at which a reader agreed says nothing beside what says it, nor does the state of a postal address. */
const findKinds = (
  names: readonly string[],
  ghosts: Readonly<Record<'isTold' | 'isTimed', boolean>>,
): (ConsentKind | 'unclear' | null)[] => {
  const found = names.map((name) => {
    const kind = name === '' ? null : findConsent(name);
    return READ.has(name) && kind !== 'when' ? null : kind;
  });
  const isType = (at: number): boolean => names[at]?.endsWith('type') === true;
  const isToldOf = (kind: ConsentKind | 'unclear' | null, at: number): boolean =>
    kind === 'agreed' || (kind === 'status' && !isType(at));
  const isTold = ghosts.isTold || found.some(isToldOf);
  const isAsked = isTold || found.includes('status');
  const isConfirmed = names.some((name, at) => found[at] === 'when' && isConfirmation(name));
  const isOutweighed = (name: string) => isAsked || (isConfirmed && !isConfirmation(name));
  const isPlace = isAsked || names.some(isPostal);
  const isTimed = ghosts.isTimed || found.includes('when');
  const stateKind = isPlace ? 'place' : isTimed ? 'region' : 'state';
  const isOfSubstack = names.some((name) => OF_SUBSTACK.test(name));
  return found.map((kind, at) => {
    if (kind === 'when' && isOutweighed(names[at] ?? '')) return null;
    if (isOfSubstack && names[at] === 'cancel_date') return null;
    if (kind === 'status' && isType(at) && isTold) return 'place';
    return kind === 'state' ? stateKind : kind;
  });
};

/** A column that the mapping gives is not found by its own name, too. */
const findFields = (
  names: readonly string[],
  areMapped: readonly boolean[],
): (MembersColumn | null)[] => {
  const mapped = names.filter((_, at) => areMapped[at]).map(findMembersColumn);
  const own = names.map((name, at) => {
    const column = findMembersColumn(name);
    return !areMapped[at] && mapped.includes(column) ? null : column;
  });
  return own.map((column, at) => {
    const foreign = column === null ? findForeignColumn(plainName(names[at] ?? '')) : undefined;
    if (foreign === undefined) return column;
    if (foreign === 'tiers' && !own.includes('complimentary_plan')) return null;
    return own.includes(foreign) ? null : foreign;
  });
};

export type Fields = Readonly<Partial<Record<MembersColumn, string>>>;

export type Said = {
  readonly fields: Fields;
  /** The column of another program that says that the reader left there, or does not say that the reader agreed. */
  readonly goneBy: string | null;
  /** No word says that the reader left: a member who is here stays as before. */
  readonly isDoubtful: boolean;
  /** The column that speaks of consent in a word that is not understood, and that word. */
  readonly unclearBy: { readonly name: string; readonly word: string } | null;
  /** The column whose cell should be the time of signup, such as `31/12/2023`, where none can be read. */
  readonly unreadTimeBy: string | null;
};

/** Adds what other columns say to what Ghost's say. */
export const readForeign = (columns: Columns, cells: readonly string[], fields: Fields): Said => {
  const cellOf = (name: string): string => cells[columns.names.indexOf(name)]?.trim() ?? '';
  const first = (some: readonly string[]): string => some.map(cellOf).find(Boolean) ?? '';
  const name = nameOf(first, fields);
  const { created_at = '' } = fields;
  const isTime = isWhen(fields.subscribed_to_emails ?? '');
  const { time, unreadTimeBy } = readTime(columns, cells, isTime);
  const { goneBy, hasLeft, unclearBy, hasAgreed } = hearConsent(columns, cells, fields);
  const isOpen = isTime || !fields.subscribed_to_emails?.trim();
  return {
    fields: {
      ...fields,
      // A day that does not exist, such as 30 February, is a fault of its line.
      created_at: time ?? (isNothing(created_at) || isOnCalendar(created_at) ? '' : created_at),
      ...(name !== '' && { name }),
      ...(isTime && { subscribed_to_emails: '' }),
      ...(isOpen && hasAgreed && { subscribed_to_emails: 'true' }),
      ...(goneBy !== null && { subscribed_to_emails: 'false' }),
    },
    goneBy,
    isDoubtful:
      goneBy !== null && !hasLeft && readYesNo(fields.subscribed_to_emails ?? '') !== false,
    unclearBy,
    unreadTimeBy,
  };
};

/** When the reader signed up, or the column whose cell should be that. */
const readTime = (
  { names, fields, written }: Columns,
  cells: readonly string[],
  isWhenSubscribed: boolean,
): Pick<Said, 'unreadTimeBy'> & { readonly time: string | undefined } => {
  const cellAt = (at: number): string => cells[at]?.trim() ?? '';
  const places = [
    fields.indexOf('created_at'),
    ...TIMES.map((name) => names.indexOf(name)),
    ...(isWhenSubscribed ? [fields.indexOf('subscribed_to_emails')] : []),
  ].filter((at) => !isNothing(cellAt(at)));
  const time = places
    .map((at) => toReadable(cellAt(at)))
    .find((one) => typeof parseImportTime(one) === 'string');
  return { time, unreadTimeBy: time === undefined ? (written[places[0] ?? -1] ?? null) : null };
};

/** MailerLite calls a first name `Name`, others a last name beside a first one. */
const nameOf = (first: (some: readonly string[]) => string, fields: Fields): string => {
  const [own, last] = [fields.name ?? '', first(LAST_NAMES)];
  const foreName = first(FIRST_NAMES);
  if (own.trim() === '') return first(NAMES) || [foreName, last].filter(Boolean).join(' ');
  if (foreName !== '') return last !== '' || own.includes(foreName) ? own : `${foreName} ${own}`;
  return last === '' || own.endsWith(last) ? own : `${own} ${last}`;
};

type Heard = Pick<Said, 'goneBy' | 'unclearBy'> & Record<'hasLeft' | 'hasAgreed', boolean>;

type Answered = Columns['consents'][number] & {
  readonly word: string;
  readonly says: Answer | null;
};

/**
 * Whether a column says that the reader agreed where another is silent. A patron pays, which answers only who follows. A
 * time of signup answers no status, nor whether the reader confirmed; an ignored column answers for ignored ones.
 */
const answersFor = ({ kind, says, name, yields }: Answered, asked: Answered): boolean => {
  if (says !== 'agreed' || kind === 'trouble' || kind === 'place') return false;
  if (kind === 'words') return asked.kind === 'follows';
  if (kind !== 'when') return asked.yields || !yields;
  const isSure = isConfirmed(asked.name) || plainName(asked.name) === SUBSCRIBED;
  return isSure ? isConfirmed(name) : asked.yields || asked.kind === 'when';
};

const hearConsent = ({ consents }: Columns, cells: readonly string[], fields: Fields): Heard => {
  const heard = consents.map((one): Answered => {
    const word = one.cell ?? cells[one.at] ?? '';
    return { ...one, word, says: readConsent(one.kind, word) };
  });
  const isYesOfGhost = readYesNo(fields.subscribed_to_emails ?? '') === true;
  // When a reader agreed does not outweigh a word that says otherwise.
  const isSubscribed =
    isYesOfGhost ||
    heard.some(
      ({ kind, says, yields }) =>
        says === 'agreed' && !yields && ['status', 'agreed', 'follows'].includes(kind),
    );
  const hasAgreed = (asked: Answered): boolean =>
    asked.says === 'agreed' ||
    (!asked.isAlone && (isYesOfGhost || heard.some((one) => answersFor(one, asked))));
  const hasConfirmed = heard.some(
    ({ kind, says, name }) => kind === 'when' && says === 'agreed' && isConfirmed(name),
  );
  // "Newsletter", which somebody ignores, may hold the name of a group of those who confirmed.
  const isInDoubt = ({ kind, says, yields }: Answered): boolean =>
    yields && !isSubscribed && says === 'unclear' && (kind !== 'agreed' || !hasConfirmed);
  const left = heard.find(({ says, yields }) => says === 'left' && !(yields && isSubscribed));
  const gone =
    left ?? heard.find(isInDoubt) ?? heard.find((one) => ASKS.has(one.kind) && !hasAgreed(one));
  return {
    goneBy: gone?.name ?? null,
    hasLeft: left !== undefined,
    unclearBy: heard.find(({ says, yields }) => says === 'unclear' && !yields) ?? null,
    hasAgreed: heard.some(
      ({ kind, says, yields }) => says === 'agreed' && !yields && ASKS.has(kind),
    ),
  };
};
