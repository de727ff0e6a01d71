// The endpoint table as rules: which paths there are below `/content/`, and which tokens of a query make
// the name of their file. Every host that takes rules gets them from here.
import { dirname } from 'node:path/posix';
import { PrepressError } from '../../../base/errors.ts';
import { ANY_VERSION } from '../../../content/paths/content-path.ts';
import { RESOURCES, type Resource, SHAPES } from '../../../content/paths/endpoints.ts';
import { FIXED_FILES, GUARDED_FOLDERS, SEARCHED } from '../../../content/paths/files.ts';
import { keptVariant, type Selection } from '../../../content/paths/selection.ts';
import { SETTINGS_NAMES } from '../../../content/paths/settings-names.ts';
import type { HostSite, StoredName } from '../host.ts';
import {
  type Case,
  type Entry,
  includeQuestions,
  listEntries,
  listQuestions,
  type Question,
} from './list-rules.ts';
import { isPassed } from './other-queries.ts';
import { dotted, exactly, queryHaving, queryRepeating, queryWith } from './spellings.ts';

export type AddressRule = {
  /** Fit for names of variables: `posts_list`, `tags_record`. */
  readonly name: string;
  readonly resource: Resource | null;
  /** `fixed`: an address whose file has one name. */
  readonly kind: 'list' | 'record' | 'fixed';
  /** Regular expression of the path after `/content/`, without its last slash. */
  readonly path: string;
  /** The tokens of their answers, joined, are the signature of a query. */
  readonly questions: readonly Question[];
  /** The first whose pattern the signature fits names the file; where none does, no file answers the query. */
  readonly entries: readonly Entry[];
};

const ID = '[0-9a-f]{24}';
/** A name that begins with a dot is never a slug's, so that no path leads out of its folder. */
const SLUG = 'slug/[^/.][^/]*';

type RulesSite = Pick<HostSite, 'queries' | 'selection'>;

export const addressRules = (site: RulesSite): AddressRule[] => [
  ...FIXED_FILES.map((file) => fixedRule(dirname(file))),
  ...RESOURCES.flatMap((resource): AddressRule[] => [
    {
      name: `${resource}_list`,
      resource,
      kind: 'list',
      path: resource,
      questions: listQuestions({ ...site, resource }),
      entries: listEntries({ ...site, resource }),
    },
    {
      name: `${resource}_record`,
      resource,
      kind: 'record',
      path: `${resource}/(?:${ID}|${SLUG})`,
      questions: recordQuestions({ ...site, resource }),
      entries: recordEntries(resource, site.selection),
    },
  ]),
];

/** Where a companion server answers what no file does, it answers a part of a record, too. */
const recordQuestions = (asked: RulesSite & { readonly resource: Resource }): Question[] => [
  ...includeQuestions(asked.resource),
  ...(isPassed(asked.queries)
    ? listQuestions(asked).filter(({ name }) => /^(?:fields|formats)$/.test(name))
    : []),
];

const fixedRule = (path: string): AddressRule => ({
  name: path.replace(/[^a-z]/g, '_'),
  resource: null,
  kind: 'fixed',
  path,
  questions: [],
  entries: [],
});

/** Every variant, or the larger one that is sent for it. */
const recordEntries = (resource: Resource, { variants }: Selection): Entry[] =>
  SHAPES[resource].recordVariants.map((variant) => ({
    pattern: variant === 'index' ? '^$' : `^-${variant}$`,
    file: keptVariant(resource, variant, variants),
  }));

export const allQuestions = (rules: readonly AddressRule[]): Question[] => [
  ...new Map(rules.flatMap(({ questions }) => questions.map((one) => [one.name, one]))).values(),
];

/** Regular expression of the raw queries that a case is about; what its token names is the first group. */
export const casePattern = ({ parameter }: Question, { fits }: Case): string => {
  if (fits === 'given') return queryHaving(parameter);
  return 'value' in fits
    ? queryWith(parameter, fits.value)
    : queryRepeating(parameter, fits.times, fits.each);
};

/** A text with the groups of a pattern as a host's language writes them. */
export const withGroups = (text: string, write: (group: string) => string): string =>
  text.replace(/\{([12])\}/g, (_, group: string) => write(group));

/** Any list or record, after `/content/` and without its last slash. */
export const ANY_RECORD = `(?:${RESOURCES.join('|')})(?:/(?:${ID}|${SLUG}))?`;

/** The same of any address of the table. */
export const ANY_ADDRESS = `(?:settings|tiers|search-index/(?:${SEARCHED.join('|')})|${ANY_RECORD})`;

export const ANY_BLOB = '(?:txt|bin)';

/** Regular expression of a blob's name in the folder of the packed tree. */
export const blobName = (ending: string): string => `[0-9a-f]{2}/[0-9a-f]{30}[.]${ending}`;

/** Regular expression of what may stand before `/content/`. */
export const prefixPattern = ({
  basePath,
  isShield,
}: Pick<HostSite, 'basePath' | 'isShield'>): string => {
  const base = dotted(basePath);
  const alias = `/ghost/api(?:/(?:${ANY_VERSION}))?`;
  if (isShield) return `${base}${alias}`;
  return base === '' ? `(?:${alias})?` : `(?:${base}|(?:${base})?${alias})`;
};

/** Below `content/`, a document that lies compressed. A slug may end so, too. */
const SIDECAR = `(?:${GUARDED_FOLDERS.map(exactly).join('|')})/(?:(?:[^/?]+/[^/?]+|[^/?]{24,}|(?:[^/?%]|%[0-9a-fA-F]{2}){2}|${SEARCHED.map(exactly).join('|')})/)?[^/?]+(?:${exactly('.json')}|${exactly('.txt')})(?:${exactly('.gz')}|${exactly('.br')})`;

/**
 * Raw paths that are answered 404 whatever they name: doubled slashes, dot segments and encoded slashes
 * or control characters, which servers would otherwise tidy up before they look, or rules cannot name; settings of hosts;
 * documents that lie compressed, which have no address; and the hidden folders in which files are made, or wait to be freed.
 */
export const HOSTILE_PATH = `^[^?]*(?://|/(?:(?:[.]|%2[eE])+|${exactly('content')}/(?:${SETTINGS_NAMES.map(exactly).join('|')}|${SIDECAR}))(?:/|[?#]|$)|%2[fF]|%5[cC]|%[01][0-9a-fA-F]|%7[fF]|/${exactly('.prepress-')})`;

/** What a server tidies up in a path: where its files lie below `content/` then, what is left may be one of ours. */
export const UNTIDY = '(?://|/(?:[.]|%2[eE])+/|%2[fF])';

/** The folder of the interface in a path, decoded or as it was sent. */
export const CONTENT_FOLDER = `${exactly('content')}(?:/|%2[fF]|$)`;

/** Each slug that stands under another name, with the rule of its resource. */
export const storedAddresses = (
  rules: readonly AddressRule[],
  names: readonly StoredName[],
): { readonly rule: AddressRule; readonly name: StoredName }[] => {
  const byName = new Map(rules.map((rule) => [rule.name, rule]));
  return names.flatMap((name) => {
    const rule = byName.get(`${name.resource}_record`);
    return rule === undefined ? [] : [{ rule, name }];
  });
};

/**
 * False for what no server takes for the name of a folder, because it tidies such paths up before rules see them, or is
 * told to refuse; and for a normal form that would mean something else in a rule.
 */
export const isRoutable = ({ slug, segment }: StoredName): boolean =>
  slug !== '' && !/^\.+$|^\.prepress-|[\p{Cc}\\/]/u.test(slug) && isWritable(segment);

/** In the languages of all hosts. */
const isWritable = (segment: string): boolean => /^[A-Za-z0-9._~\u0080-\uffff-]+$/.test(segment);

/** Refuses a folder whose name means something else in the language of a host. */
export const checkRoot = (title: string, folder: string, meaning: RegExp): void => {
  if (!meaning.test(folder) && !/[\p{Cc}]/u.test(folder)) return;
  throw new PrepressError(
    'VALIDATION',
    `${title} reads some characters in the name of the folder ${folder} in another way: choose an output without them.`,
  );
};

/** A text in double quotes, as nginx and Caddy read it. */
export const quoted = (text: string): string => `"${escapedInQuotes(text)}"`;

export const escapedInQuotes = (text: string): string => text.replace(/["\\]/g, '\\$&');

/** Headers in the language of a host, one on each line. */
export const headerLines = (
  list: readonly (readonly [string, string])[],
  write: (name: string, value: string) => string,
): string => list.map(([name, value]) => write(name, value)).join('\n');
