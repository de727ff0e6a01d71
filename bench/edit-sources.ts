// Where the edits of the part `end-to-end` are made: in the admin interface, or in the database of a Ghost that is followed.
// Each publication has the same posts.
import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { loadDriver } from '../src/base/sqlite/driver.ts';
import { prepress } from './builds.ts';
import { makeGhostSource } from './ghost-source.ts';
import { type LiveServer, savePost } from './live-server.ts';
import { startGhostMariadb } from './mariadb.ts';
import { hasProgram } from './processes.ts';
import { makePublication } from './publication.ts';

export const SOURCES = ['admin interface', "Ghost's SQLite file", "Ghost's MariaDB"] as const;
export type EditSource = (typeof SOURCES)[number];

export type Edit = (id: string, title: string) => Promise<void>;

export type StartedSource = {
  /** Of the command `serve`. */
  readonly args: readonly string[];
  /** An edit resolves when it is committed, not when it can be read. */
  readonly makeEdit: (server: LiveServer) => Promise<Edit>;
  readonly end: () => Promise<void>;
};

const POSTS = 300;
const MEMBERS_PER_POST = 10;
const BUSY_MS = 10_000;
const nothing = async (): Promise<void> => undefined;

/** Makes what is published, in `folder`. Null: its program is not installed. */
export const startSource = async (
  source: EditSource,
  folder: string,
): Promise<StartedSource | null> => {
  mkdirSync(folder, { recursive: true });
  if (source === "Ghost's MariaDB" && !(await hasProgram('mariadbd'))) return null;
  return START[source](folder);
};

const makeGhost = async (folder: string): Promise<string> => {
  const file = join(folder, 'ghost.db');
  await makeGhostSource(file, POSTS, MEMBERS_PER_POST);
  return file;
};

const START: Readonly<Record<EditSource, (folder: string) => Promise<StartedSource>>> = {
  'admin interface': async (folder) => {
    await makePublication(join(folder, 'data/publication.db'), POSTS);
    const makeEdit =
      async (server: LiveServer): Promise<Edit> =>
      (id, title) =>
        savePost(server, id, title);
    return { args: [], makeEdit, end: nothing };
  },
  "Ghost's SQLite file": async (folder) => {
    const file = await makeGhost(folder);
    const edit: Edit = async (id, title) => {
      const ghost = new (loadDriver())(file, { timeout: BUSY_MS });
      ghost
        .prepare("UPDATE posts SET title = ?, updated_at = datetime('now') WHERE id = ?")
        .run(title, id);
      ghost.close();
    };
    return { args: ['--follow', file], makeEdit: async () => edit, end: nothing };
  },
  "Ghost's MariaDB": async (folder) => {
    const ghost = await startGhostMariadb(folder, await makeGhost(folder));
    const update = 'UPDATE posts SET title = ?, updated_at = UTC_TIMESTAMP() WHERE id = ?';
    return {
      args: ['--follow', ghost.address],
      // Ghost's webhook calls once the edit is committed.
      makeEdit: async (live) => {
        const hook = await findBuildHook(live);
        return async (id, title) => {
          await ghost.shell.query(update, [title, id]);
          await fetch(hook, { method: 'POST' });
        };
      },
      end: ghost.end,
    };
  },
};

export const findBuildHook = async ({ folder, url }: LiveServer): Promise<string> => {
  const { stdout } = await prepress(folder, ['status', '--secrets']);
  const [, token = ''] = /hooks\/build\/([0-9a-f]+)/.exec(stdout) ?? [];
  return `${url}/hooks/build/${token}`;
};
