// A publication small enough to be built hundreds of times: a few posts, tags and authors, and drafts to
// publish. Edits come in pairs that undo each other, so that a scene can be used again and again.
import { join } from 'node:path';
import type { SqliteConnection } from '../../src/base/sqlite/driver.ts';
import { loadDriver } from '../../src/base/sqlite/driver.ts';
import { SITE } from '../helpers/clean-tree.ts';
import { fillPublication } from '../helpers/fill-publication.ts';
import { CONTENT, DATABASE, openShell } from '../helpers/serve.ts';
import { temporaryFolder } from '../helpers/temporary-folder.ts';
import { mustRun } from './run-program.ts';

const columns = (at: number) => ({ html: `<p>${`Line ${at} of the log. `.repeat(100)}</p>` });

export type SmallOptions = { readonly posts?: number; readonly drafts?: number };

/** Makes the database in `folder`; nothing is built yet. */
export const createSmallPublication = async (
  program: string,
  folder: string,
  { posts = 4, drafts = 1 }: SmallOptions = {},
): Promise<void> => {
  await mustRun({ program, folder, args: ['init', '--empty', '--site-url', SITE] });
  const shell = new (loadDriver())(join(folder, DATABASE), { timeout: 60_000 });
  try {
    fillPublication(shell, { posts, drafts, isLinked: true, columns });
  } finally {
    shell.close();
  }
};

/** Makes one in a folder of its own and builds it. */
export const createBuilt = async (program: string, options: SmallOptions = {}) => {
  const folder = temporaryFolder();
  await createSmallPublication(program, folder, options);
  await mustRun({ program, folder, args: ['build'] });
  return { folder, content: join(folder, CONTENT), shell: openShell(folder) };
};

/** Publishes a draft, renames a slug, takes a post back and edits a tag; the next call undoes it all. */
export const editBackOrForth = (shell: SqliteConnection, round: number): void => {
  const isForth = round % 2 === 0;
  const run = (sql: string, ...values: unknown[]): unknown => shell.prepare(sql).run(values);
  const rename = "UPDATE posts SET slug = ? WHERE slug IN ('post-0', 'post-0-renamed')";
  shell.transaction(() => {
    run("UPDATE posts SET status = ? WHERE slug = 'draft-0'", isForth ? 'published' : 'draft');
    run(rename, isForth ? 'post-0-renamed' : 'post-0');
    run("UPDATE posts SET status = ? WHERE slug = 'post-2'", isForth ? 'draft' : 'published');
    run("UPDATE tags SET description = ? WHERE slug = 'tag-1'", isForth ? 'Round' : 'About');
  })();
};
