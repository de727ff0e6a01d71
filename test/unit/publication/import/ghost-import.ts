// Imports for tests: a copy of the project's own export to change, the written file, and the whole
// content of a database as text.
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { SqliteConnection } from '../../../../src/base/sqlite/driver.ts';
import type { ImportReport } from '../../../../src/publication/import/import-report.ts';
import { importSource } from '../../../../src/publication/import/import-source.ts';
import { openGhostExport } from '../../../../src/publication/sources/ghost-export/source.ts';
import type { Publication } from '../../../helpers/publication.ts';
import { temporaryFolder } from '../../../helpers/temporary-folder.ts';

export const FIXTURE = join(import.meta.dirname, '../../../fixtures/ghost-export.json');
export const OLD_FIXTURE = join(import.meta.dirname, '../../../fixtures/ghost-export-old.json');
export const GHOST_SMALL = join(
  import.meta.dirname,
  '../../../fixtures/ghost-small/ghost-export.json',
);

export type ExportRow = Record<string, unknown>;
export type ExportData = Record<string, ExportRow[]>;

export const readData = (file = FIXTURE): ExportData => {
  const parsed = JSON.parse(readFileSync(file, 'utf8')) as { db: [{ data: ExportData }] };
  return parsed.db[0].data;
};

export const rowsOf = (data: ExportData, table: string): ExportRow[] => {
  data[table] ??= [];
  return data[table];
};

/** The row of a table whose id ends so. */
export const rowOf = (data: ExportData, table: string, end: string): ExportRow => {
  const row = rowsOf(data, table).find(({ id }) => String(id).endsWith(end));
  if (row === undefined) throw new Error(`no row ${end} in ${table}`);
  return row;
};

export const idOf = (number: number): string => `a${number.toString(16).padStart(23, '0')}`;

export const writeText = (text: string): string => {
  const file = join(temporaryFolder(), 'export.json');
  writeFileSync(file, text);
  return file;
};

export const NOW = Date.parse('2026-06-01T00:00:00.000Z');

export const importFile = (
  { store }: Publication,
  file: string,
  siteUrl?: string,
): Promise<ImportReport> =>
  importSource(store, openGhostExport(file), {
    clock: { now: () => NOW },
    ...(siteUrl !== undefined && { siteUrl }),
  });

export const importData = (publication: Publication, data: ExportData): Promise<ImportReport> =>
  importFile(
    publication,
    writeText(JSON.stringify({ db: [{ meta: { version: '6.65.0' }, data }] })),
  );

/** One post, as the export of a site that begins. */
export const REAL_EXPORT = JSON.stringify({
  db: [
    {
      meta: { exported_on: 1, version: '6.65.0' },
      data: {
        posts: [
          {
            ...{ id: '0123456789abcdef01234567', uuid: '11111111-1111-4111-8111-111111111111' },
            ...{ title: 'Real', slug: 'real', html: '<p>Real</p>', status: 'published' },
            ...{ created_at: '2026-01-01 00:00:00', published_at: '2026-01-01 00:00:00' },
          },
        ],
      },
    },
  ],
});

/** Every row of every table but the log and the journal of bulk work, or with them. */
export const dump = (shell: SqliteConnection, log: 'with log' | 'without log'): string => {
  const tables = shell
    .prepare("SELECT name FROM sqlite_master WHERE type = 'table' ORDER BY name")
    .pluck()
    .all() as string[];
  const omitted = [
    'log_state',
    'changes',
    'sqlite_sequence',
    'bulk_jobs',
    'bulk_lines',
    'read_model',
  ];
  return tables
    .filter((name) => log === 'with log' || !omitted.includes(name))
    .map((name) => {
      const rows = shell.prepare(`SELECT * FROM "${name}" ORDER BY 1`).all();
      return `${name}\n${rows.map((row) => JSON.stringify(row)).join('\n')}`;
    })
    .join('\n');
};

export type LoggedChange = { entity: string; op: string; record_id: string };

/** Changes logged after `seq`, as "entity op record". */
export const changesAfter = (shell: SqliteConnection, seq: number): string[] =>
  (
    shell
      .prepare("SELECT entity, op, record_id FROM changes WHERE seq > ? AND op <> 'r' ORDER BY seq")
      .all(seq) as LoggedChange[]
  ).map(({ entity, op, record_id }) => `${entity} ${op} ${record_id}`);

export const lastChange = (shell: SqliteConnection): number =>
  (shell.prepare('SELECT max(seq) FROM changes').pluck().get() as number | null) ?? 0;
