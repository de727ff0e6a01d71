// Reads Ghost's redirects.json and redirects.yaml, each with the lines that things stand on: JSON is a part of YAML. All that
// is wrong is reported together, and nothing is taken then.
import { readFile, stat } from 'node:fs/promises';
import {
  type ErrorCode,
  isMap,
  isScalar,
  isSeq,
  LineCounter,
  type Node,
  type Pair,
  parseDocument,
} from 'yaml';
import { PrepressError } from '../../../base/errors.ts';
import { readError } from '../../../base/files/read-fault.ts';
import {
  REDIRECT_CHARACTERS_MAX,
  REDIRECT_LINES_MAX,
  REDIRECTS_BYTES_MAX,
} from '../../../base/limits.ts';
import { PatternError } from '../../../base/text/path-pattern.ts';
import { type RedirectLine, readRedirect } from '../../store/content/redirects.ts';

type Found = { readonly line: number; readonly redirect: RedirectLine };
type Listed = { readonly found: readonly Found[]; readonly problems: readonly string[] };

/** Throws IMPORT_UNREADABLE, and VALIDATION, whose details are the lines that are refused. */
export const readRedirects = async (file: string): Promise<RedirectLine[]> => {
  const { found, ...listed } = listFound(file, await readText(file));
  const problems = [...listed.problems];
  if (found.length > REDIRECT_LINES_MAX)
    problems.push(`It has ${found.length} redirects: ${REDIRECT_LINES_MAX} are kept at most.`);
  for (const { line, redirect } of found) {
    const problem = problemOf(redirect);
    if (problem !== null) problems.push(`Line ${line}: ${problem}.`);
  }
  if (problems.length === 0) return found.map(({ redirect }) => redirect);
  throw new PrepressError('VALIDATION', `No redirect of ${file} was imported.`, {
    hint: 'Write these lines another way, and import the file again:',
    details: problems.map((problem) => ({ problem })),
  });
};

const readText = async (file: string): Promise<string> => {
  try {
    if ((await stat(file)).size <= REDIRECTS_BYTES_MAX) return await readFile(file, 'utf8');
  } catch (cause) {
    throw readError(file, cause);
  }
  throw new PrepressError('VALIDATION', `${file} has more than ${REDIRECTS_BYTES_MAX} bytes.`, {
    hint: "Name Ghost's redirects file, redirects.yaml or redirects.json.",
  });
};

const problemOf = (redirect: RedirectLine): string | null => {
  const { from, to } = redirect;
  if (from === '') return 'the redirect has no "from", as in {"from": "/old/", "to": "/new/"}';
  if (Math.max(from.length, to.length) > REDIRECT_CHARACTERS_MAX)
    return `an address has more than ${REDIRECT_CHARACTERS_MAX} characters`;
  try {
    readRedirect(redirect);
    return null;
  } catch (error) {
    if (error instanceof PatternError) return `the redirect from "${from}" ${error.message}`;
    throw error;
  }
};

/** A list of objects; or a map of addresses for each status, of which those of 302 come first, as in Ghost. Throws VALIDATION. */
const listFound = (file: string, text: string): Listed => {
  const lineCounter = new LineCounter();
  const { contents, errors } = parseDocument(text, { lineCounter });
  const lineAt = (offset = 0): number => lineCounter.linePos(offset).line;
  const found = (node: unknown, [from, to]: readonly unknown[], permanent: boolean): Found => ({
    line: lineAt((node as Node).range?.[0]),
    redirect: { from: textOf(from), to: textOf(to), permanent },
  });
  const [fault] = errors;
  if (fault !== undefined) {
    const what = FAULTS[fault.code] ?? 'this is neither JSON nor YAML';
    throw notRedirects(`${file} cannot be read: line ${lineAt(fault.pos[0])}: ${what}.`);
  }
  if (isSeq(contents)) {
    const redirects = contents.items.map((item) => {
      const get = (name: string): unknown => (isMap(item) ? item.get(name) : undefined);
      return found(item, [get('from'), get('to')], get('permanent') === true);
    });
    return { found: redirects, problems: [] };
  }
  const keys = isMap(contents) ? contents.items : [];
  const parts = keys.filter(({ key }) => isStatus(key));
  if (parts.length === 0) {
    const isRoutes = isMap(contents) && (contents.has('collections') || contents.has('routes'));
    throw notRedirects(
      `${file} ${isRoutes ? "holds Ghost's routes" : "is in neither of Ghost's redirect formats"}.`,
      isRoutes ? ROUTES_UNREAD : undefined,
    );
  }
  const problems = keys.flatMap(({ key, value }) => {
    const at = `Line ${lineAt((key as Node).range?.[0])}: "${textOf(key)}"`;
    if (!isStatus(key))
      return [`${at} is neither 301 nor 302: indent redirects below one of them.`];
    const isEmpty = value === null || (isScalar(value) && value.value === null);
    if (isMap(value) || isEmpty) return [];
    return [`${at} needs lines such as "/old/: /new/", with a blank after the colon.`];
  });
  const redirects = ['302', '301'].flatMap((status) =>
    parts
      .filter(({ key }) => textOf(key) === status)
      .flatMap(({ value }) => (isMap(value) ? value.items : []))
      .map(({ key, value }: Pair) => found(key, [key, value], status === '301')),
  );
  return { found: redirects, problems };
};

const isStatus = (key: unknown): boolean => /^30[12]$/.test(textOf(key));

const notRedirects = (sentence: string, hint = HINT): PrepressError =>
  new PrepressError('VALIDATION', sentence, { hint });

const HINT =
  'Write Ghost\'s redirects.json, or YAML with a key 301 or 302 and lines such as "/old/: /new/".';

const ROUTES_UNREAD =
  'Prepress does not read routes: set "permalinks" and edit templates, as step 5 of docs/leaving-ghost.md says.';

const FAULTS: Partial<Record<ErrorCode, string>> = {
  BAD_INDENT: 'the indentation is wrong, or a bracket is not closed',
  BLOCK_AS_IMPLICIT_KEY: 'a value with a colon needs quotation marks',
  DUPLICATE_KEY: 'this key stands twice',
  MISSING_CHAR: 'a quotation mark, bracket or colon is missing',
  TAB_AS_INDENT: 'indent with spaces, not with a tab',
};

/** Empty, which is refused, where no text stands. */
const textOf = (node: unknown): string => {
  const value = isScalar(node) ? node.value : node;
  return typeof value === 'string' || typeof value === 'number' ? String(value).trim() : '';
};
