// Takes raw rows of Ghost's tables, in any order of tables, makes them ours and stages them. Nothing of
// the publication is touched. Serves every source that hands out Ghost's rows.
import { isJsonObject } from '../../../base/text/json-value.ts';
import { isTimeZone } from '../../../base/time.ts';
import { toStoredValue } from '../../documents/stored-columns.ts';
import type { RawRow } from '../../sources/source.ts';
import type { Column } from '../../store/import/import-rows.ts';
import type { Stage, StagedRow, StageFlag } from '../../store/import/import-stage.ts';
import type { Aliases } from '../apply/aliases.ts';
import type { ReportBuilder } from '../import-report.ts';
import { preparePost, saysEmailOnly } from './ghost-posts.ts';
import { factsFor, fieldOf, ROLE_TABLES, type TableFacts } from './ghost-tables.ts';
import { settingNameOf } from './import-settings.ts';
import { isTimeColumn, normaliseRow, type Problem, parseId } from './normalise-row.ts';
import type { RowHints } from './row-hints.ts';
import { noteRow } from './row-notes.ts';
import { keepsOnConflict } from './shown-columns.ts';
import { parseSiteUrl } from './site-url.ts';

type IntakeOptions = {
  readonly stage: Stage;
  readonly report: ReportBuilder;
  readonly aliases: Aliases;
  readonly hints: RowHints;
  readonly twins: Map<string, string>;
  readonly columns: ReadonlyMap<string, readonly Column[]>;
  /** The import names the site's address itself, so that of the file is passed over. */
  readonly hasSiteUrl: boolean;
  /** Address of the site without a trailing slash, as far as it is known. */
  readonly siteUrl: string | null;
};

export type Intake = {
  readonly declare: (table: string) => void;
  readonly take: (table: string, raw: unknown) => void;
  /** Ends the intake; returns each user's role by user id. */
  readonly finish: () => ReadonlyMap<string, string>;
};

export const createIntake = (options: IntakeOptions): Intake => {
  const { stage, report } = options;
  const roles = new Map<string, string>();
  const roleIds = new Map<string, string>();
  return {
    declare: (table) => {
      if (factsFor(table) !== undefined) stage.declare(table);
    },
    take: (table, raw) => {
      if (!isJsonObject(raw)) {
        if (factsFor(table) === undefined) return;
        report.count(table, 'read');
        report.skip(table, '', { field: 'a row', reason: 'is not an object' });
      } else if (table === ROLE_TABLES.roles) noteText(roles, raw.id, raw.name);
      else if (table === ROLE_TABLES.links) noteText(roleIds, raw.user_id, raw.role_id);
      else takeRow(options, table, options.hints.read(table, raw));
    },
    finish: () => {
      for (const [table, rows] of stage.finish()) {
        if (table !== 'settings') report.count(table, 'read', rows);
      }
      return new Map(
        [...roleIds].flatMap(([user, role]) => {
          const name = roles.get(parseId(role) ?? role);
          return name === undefined ? [] : [[user, name] as const];
        }),
      );
    },
  };
};

const noteText = (map: Map<string, string>, id: unknown, text: unknown): void => {
  const key = parseId(id);
  const value = typeof text === 'number' ? String(text) : text;
  if (key !== null && typeof value === 'string') map.set(key, value);
};

const takeRow = (options: IntakeOptions, table: string, raw: RawRow): void => {
  const { report } = options;
  const facts = factsFor(table);
  if (facts === undefined) {
    report.remark('staysBehind', table.slice(0, 60));
    return;
  }
  report.count(table, 'read');
  if (table === 'settings') takeSetting(options, facts, raw);
  else if (table === 'posts') takePost(options, facts, raw);
  else if (table === 'posts_meta') takeMeta(options, facts, raw);
  else stageRow(options, facts, raw);
};

const takePost = (options: IntakeOptions, facts: TableFacts, raw: RawRow): void => {
  const { post, meta, hasNoHtml } = preparePost(raw);
  if (!stageRow(options, facts, post)) return;
  if (hasNoHtml) flagPost(options, 'bodiless', raw.id);
  const nested = [raw.posts_meta].flat();
  if (nested.some((row) => isJsonObject(row) && saysEmailOnly(row)))
    flagPost(options, 'mailed', raw.id);
  const metaFacts = factsFor('posts_meta');
  if (meta !== null && metaFacts !== undefined) takeMeta(options, metaFacts, meta, 'late');
};

/** What only may mean e-mail only is stored so; a row that cannot be taken still says it of its post. */
const takeMeta = (
  options: IntakeOptions,
  facts: TableFacts,
  raw: RawRow,
  when: 'now' | 'late' = 'now',
): void => {
  const isMailed = saysEmailOnly(raw);
  flagPost(options, 'described', raw.post_id);
  if (isMailed) flagPost(options, 'mailed', raw.post_id);
  if (isMailed && !MAILED.includes(raw.email_only)) nameFlag(options, facts, raw);
  stageRow(options, facts, isMailed ? { ...raw, email_only: 1 } : raw, when);
};

const MAILED: readonly unknown[] = [1, '1', true];

/** Its post is taken for e-mail only, as with any doubt. */
const nameFlag = ({ stage, report }: IntakeOptions, facts: TableFacts, raw: RawRow): void => {
  const problem = { field: 'email_only', reason: 'is neither 0 nor 1' };
  const id = String(raw.id);
  report.leaveOut(facts.from, id, problem);
  noteRow(stage, facts, { id, raw, problem });
};

const flagPost = ({ stage }: IntakeOptions, flag: StageFlag, postId: unknown): void => {
  const id = parseId(postId);
  if (id !== null) stage.flag(flag, 'posts', [id]);
};

const PERMALINKS_STANDARD = '/:slug/';
const PRIVATE =
  'This Ghost is private: its readers need a password. Prepress has none for readers, so whoever reaches the output can read it: let your host ask for one.';
const NO_ADDRESS = { field: 'value', reason: 'is not an absolute address' };
const noZone = (value: unknown): Problem => ({
  field: 'timezone',
  reason: `is not the name of a time zone, got "${String(value).slice(0, 60)}": set one such as Europe/Berlin in the desk`,
});

const takeSetting = (options: IntakeOptions, facts: TableFacts, raw: RawRow): void => {
  const { report } = options;
  warnOfSetting(report, raw);
  const name = settingNameOf(raw.key);
  const isNamed = typeof raw.key === 'string' && raw.key !== '';
  if (!isNamed) stageRow(options, facts, raw);
  else if (name === null || (name.key === 'url' && options.hasSiteUrl)) {
    report.remark('staysBehind', facts.from);
  } else if (name.key === 'url') takeUrl(options, facts, raw);
  else if (name.key === 'timezone' && isUnknownZone(raw.value))
    reject(options, facts, raw, { problem: noZone(raw.value) });
  else stageRow(options, facts, { ...raw, key: name.key }, name.isEarlier ? 'late' : 'now');
};

/** An empty one is UTC. */
const isUnknownZone = (value: unknown): boolean =>
  typeof value === 'string' && value !== '' && !isTimeZone(value);

/** Of what has another place here, or none. */
const warnOfSetting = (report: ReportBuilder, raw: RawRow): void => {
  if (raw.key === 'permalinks' && raw.value !== PERMALINKS_STANDARD) {
    const named = String(raw.value).replace(':author', ':primary_author');
    const pattern = named.replaceAll(/:(\w+)/g, '{$1}');
    report.warn(`The site had its own addresses: set "permalinks" to "${pattern}" to keep them.`);
  }
  if (/^is_?private$/i.test(String(raw.key)) && /^(?:true|1)$/.test(String(raw.value))) {
    report.warn(PRIVATE);
  }
};

const takeUrl = (options: IntakeOptions, facts: TableFacts, raw: RawRow): void => {
  const value = parseSiteUrl(raw.value);
  if (value === null) reject(options, facts, raw, { problem: NO_ADDRESS });
  else stageRow(options, facts, { ...raw, value });
};

/** `keepsVersion`: what the publication has of the row stays. */
const reject = (
  { stage, report }: IntakeOptions,
  facts: TableFacts,
  raw: RawRow,
  { problem, keepsVersion = true }: { readonly problem: Problem; readonly keepsVersion?: boolean },
): void => {
  const id = parseId(raw.id) ?? String(raw.id ?? '');
  report.skip(facts.from, id.slice(0, 60), problem);
  stage.flag('rejected', facts.from, [id]);
  if (keepsVersion) noteRow(stage, facts, { id, raw, problem });
};

/** Where the id does not say which row it is. */
const withSlug = ({ slug, title }: RawRow, { field, reason }: Problem): Problem => {
  const name = [slug, title].find((value) => typeof value === 'string' && value !== '');
  const shown = name === undefined ? '' : ` (${JSON.stringify(String(name).slice(0, 60))})`;
  return { field, reason: `${reason}${shown}` };
};

/** Returns whether the row was staged. */
const stageRow = (
  options: IntakeOptions,
  facts: TableFacts,
  raw: RawRow,
  when: 'now' | 'late' = 'now',
): boolean => {
  const { stage, aliases } = options;
  const columns = options.columns.get(facts.into) ?? [];
  const normalised = normaliseRow(facts, columns, withStoredUrls(facts, raw, options));
  if ('problem' in normalised) {
    reject(options, facts, raw, { problem: normalised.problem });
    return false;
  }
  const { row } = normalised;
  // Exports of old versions do not say when a setting was made, which nobody is shown.
  const isUnseen = ({ field }: Problem): boolean =>
    facts.into === 'settings' && isTimeColumn(field) && !raw[field];
  for (const problem of normalised.leftOut.filter((one) => !isUnseen(one))) {
    options.report.leaveOut(facts.from, String(row.id), problem);
  }
  const staged: StagedRow = {
    id: String(row.id),
    keys: (facts.unique ?? []).map((columns) => keyOf(facts, columns, row)),
    references: (facts.references ?? []).map(({ column }) => textOf(row[column])),
    row: JSON.stringify(row),
  };
  if (when === 'late') {
    stage.addLate(facts.from, staged);
    return true;
  }
  const collision = stage.add(facts.from, staged);
  if (collision === null) return true;
  if (collision.key === -1) {
    const problem = withSlug(raw, { field: 'id', reason: 'appears twice' });
    options.report.skip(facts.from, staged.id, problem);
    return false;
  }
  const field = (facts.unique?.[collision.key] ?? [])
    .map((column) => fieldOf(facts, column))
    .join(' and ');
  const problem = { field, reason: `is the same as in row ${collision.id}` };
  if (facts.into === 'members') {
    if (field === 'email') options.twins.set(staged.id, collision.id);
    reject(options, facts, raw, { problem, keepsVersion: false });
  } else if (facts.matches === true && facts.linksOf === undefined) {
    options.report.skip(facts.from, staged.id, problem);
    aliases.addDuplicate(facts.into, staged.id, collision.id);
  } else reject(options, facts, raw, { problem, keepsVersion: keepsOnConflict(facts) });
  return false;
};

/** Texts hold addresses of the own site as a save stores them. */
const withStoredUrls = ({ into }: TableFacts, raw: RawRow, { siteUrl }: IntakeOptions): RawRow =>
  Object.fromEntries(
    Object.entries(raw).map(([name, value]) => {
      if (typeof value !== 'string') return [name, value];
      const column = into === 'settings' && name === 'value' ? String(raw.key) : name;
      return [name, toStoredValue({ table: into, column }, value, { siteUrl })];
    }),
  );

const textOf = (value: unknown): string | null => (typeof value === 'string' ? value : null);

/** The values of a unique set as one text; null when one is null, which is never the same. */
export const keyOf = (
  facts: TableFacts,
  columns: readonly string[],
  row: Readonly<Record<string, unknown>>,
): string | null => {
  const values = columns.map((column) => row[column] ?? defaultOf(facts, column));
  if (values.includes(null)) return null;
  return JSON.stringify(
    values.map((value, index) =>
      facts.anyCase?.includes(columns[index] ?? '') ? lowerAscii(String(value)) : String(value),
    ),
  );
};

/** The first allowed value is the column's default. */
const defaultOf = (facts: TableFacts, column: string): string | null =>
  facts.values?.[column]?.[0] ?? null;

/** As SQLite's NOCASE and lower() do: A-Z only. */
const lowerAscii = (text: string): string =>
  text.replace(/[A-Z]/g, (letter) => letter.toLowerCase());
