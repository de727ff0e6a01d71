// The sample publication: filled in when someone tries Prepress, and taken out again when the first real
// site is imported into the same database. Rows that were added to it stay, posts that were edited too, as drafts.
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { makeScratchFolder, removeScratchFolder } from '../../../base/files/scratch-folder.ts';
import { createId } from '../../../base/ids.ts';
import { toStoredTime } from '../../../base/time.ts';
import { openGhostExport } from '../../sources/ghost-export/source.ts';
import { findSetting, SAMPLE_SETTING, SITE_SETTING } from '../../store/content/settings.ts';
import {
  deferReferences,
  deleteRows,
  findRows,
  insertRows,
  type TableName,
  updateRow,
} from '../../store/import/import-rows.ts';
import type { Store, Transaction } from '../../store/store.ts';
import type { ReportBuilder } from '../import-report.ts';
import { importSource } from '../import-source.ts';
import { GHOST_TABLES } from '../intake/ghost-tables.ts';
import { isLocalSite, storeSiteUrl } from '../intake/site-url.ts';

const CHUNK = 200;

/** Only who fills it in, or takes it out, loads it. */
const loadSample = async () =>
  (await import('../../../../data/sample-publication.json', { with: { type: 'json' } })).default;

export const importSample = async (store: Store, siteUrl: string): Promise<void> => {
  const folder = makeScratchFolder('sample');
  try {
    const file = join(folder, 'sample.json');
    writeFileSync(file, JSON.stringify(await loadSample()));
    await importSource(store, openGhostExport(file), { siteUrl });
  } finally {
    removeScratchFolder(folder);
  }
  await store.write(async (tx) => {
    const now = toStoredTime(Date.now());
    const row = { id: createId(), group: 'core', key: SAMPLE_SETTING, value: '1', type: 'boolean' };
    await insertRows(tx, 'settings', [{ ...row, created_at: now, updated_at: now }]);
  });
};

/** Until the sample makes way, its site is at the server that shows it; of several servers, none moves it. */
export const moveSample = async (store: Store, port: number): Promise<void> => {
  if (store.postgres !== null) return;
  const isSample = (await findSetting(store, SAMPLE_SETTING)) !== null;
  if (!isSample || !isLocalSite((await findSetting(store, 'url')) ?? '')) return;
  const { origin } = new URL(`http://localhost:${port}`);
  await store.write((tx) => storeSiteUrl(tx, origin, Date.now()));
};

/**
 * Removes the sample's rows if they are there, except posts whose text was edited and those that posts and members added
 * since are linked to: a post keeps its author and tags. The settings stay, an import sets its own; but the address of a
 * sample to which nobody gave one is not that of the site.
 */
export const removeSample = async (
  tx: Transaction,
  report: Pick<ReportBuilder, 'remark'>,
): Promise<void> => {
  const [mark] = await findRows(tx, { table: 'settings', by: 'key', values: [SAMPLE_SETTING] });
  if (mark === undefined) return;
  const sample = await loadSample();
  const { data } = sample.db[0] ?? { data: { posts: [] } };
  const tables: Readonly<Record<string, readonly SampleRow[]>> = data;
  const edited = await keepEdited(tx, data.posts, report);
  await deferReferences(tx);
  // First what has links: those go with it, also such as were made since.
  for (const { from, into } of [...LINKED, ...GHOST_TABLES.toReversed()]) {
    if (into === 'settings') continue;
    const isKept = (row: SampleRow): boolean =>
      into === 'posts'
        ? edited.has(row.id)
        : KEPT_WITH_POSTS.has(into) && edited.has(row.post_id ?? '');
    const ids = (tables[from] ?? []).filter((row) => !isKept(row)).map(({ id }) => id);
    for (let at = 0; at < ids.length; at += CHUNK) {
      const some = ids.slice(at, at + CHUNK);
      const kept = await findLinked(tx, into, some);
      const gone = some.filter((id) => !kept.has(id));
      await deleteRows(tx, into, gone);
      if (into === 'users') await demote(tx, kept);
    }
  }
  const address = isLocalSite((await findSetting(tx, 'url')) ?? '') ? ['url'] : [];
  const keys = [SAMPLE_SETTING, SITE_SETTING, ...address];
  const marks = await findRows(tx, { table: 'settings', by: 'key', values: keys });
  await deleteRows(
    tx,
    'settings',
    marks.map(({ id }) => String(id)),
  );
};

type SampleRow = { readonly id: string; readonly post_id?: string };

/** Not what sells a post: tiers of the sample would be offered on the site. */
const KEPT_WITH_POSTS: ReadonlySet<TableName> = new Set([
  'posts_meta',
  'posts_authors',
  'posts_tags',
]);

type SamplePost = Readonly<Record<(typeof TEXTS)[number] | 'id', string | null>>;

const TEXTS = ['title', 'html', 'lexical'] as const;

/** Somebody's words are not the sample's to lose: they become drafts, whose slugs are in the way of none. Gives their ids. */
const keepEdited = async (
  tx: Transaction,
  posts: readonly SamplePost[],
  report: Pick<ReportBuilder, 'remark'>,
): Promise<ReadonlySet<string>> => {
  const search = { table: 'posts', by: 'id', values: posts.map(({ id }) => String(id)) } as const;
  const edited = new Set<string>();
  for (const row of await findRows(tx, search)) {
    const own = posts.find(({ id }) => id === row.id);
    if (TEXTS.every((text) => row[text] === own?.[text])) continue;
    const [id, slug] = [String(row.id), `${row.slug}-sample`];
    await updateRow(tx, {
      table: 'posts',
      id,
      values: { status: 'draft', slug, newsletter_id: null },
    });
    report.remark('sampleEdited', slug);
    edited.add(id);
  }
  return edited;
};

const LINKED = GHOST_TABLES.filter(({ into }) => into === 'posts' || into === 'members');

/** Those that a remaining post, member or tier is linked to. */
const findLinked = async (
  tx: Transaction,
  table: TableName,
  ids: readonly string[],
): Promise<Set<string>> => {
  const found = new Set<string>();
  for (const { into, references = [], linksOf } of GHOST_TABLES) {
    if (linksOf === undefined && into !== 'posts') continue;
    for (const { column, table: target } of references) {
      if (target !== table || column === linksOf?.column) continue;
      const search = { table: into, columns: [column], by: column, values: ids };
      for (const row of await findRows(tx, search)) found.add(String(row[column]));
    }
  }
  return found;
};

/** The owner is a user of the site that is imported. */
const demote = async (tx: Transaction, ids: ReadonlySet<string>): Promise<void> => {
  for (const id of ids) await updateRow(tx, { table: 'users', id, values: { role: 'Author' } });
};
