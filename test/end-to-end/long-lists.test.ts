// A server reads the lists of a long table on a thread with a connection of its own, and those of a short one without.
import { setTimeout as sleep } from 'node:timers/promises';
import { expect, test } from 'vitest';
import { eventually } from '../helpers/eventually.ts';
import { canCountFiles, openFiles } from '../helpers/open-files.ts';
import { prepress } from '../helpers/run-prepress.ts';
import { DATABASE, openShell, serve } from '../helpers/serve.ts';
import { temporaryFolder } from '../helpers/temporary-folder.ts';

const INSERT = `WITH RECURSIVE n(v) AS (SELECT 1 UNION ALL SELECT v + 1 FROM n WHERE v < 2001)
  INSERT INTO members (id, uuid, email, name, created_at) SELECT printf('%024x', v), 'u' || v,
    v || '@example.com', 'Member ' || v, '2026-01-01T00:00:00.000Z' FROM n`;

test.skipIf(!canCountFiles)(
  'the members of a large publication are listed by a thread',
  async () => {
    const folder = temporaryFolder();
    await prepress(folder, ['init', '--empty']);
    openShell(folder).exec(INSERT);
    await prepress(folder, ['build']);
    const { admin, pid } = await serve(folder);
    // Each connection has the log open once; of the file itself SQLite keeps handles for the next one.
    const handles = () => openFiles(DATABASE, pid).filter((name) => name.endsWith('-wal')).length;
    const list = (query: string) => admin('GET', `/members/${query}`);
    await admin('GET', '/tags/?search=nothing');
    // A cycle of the publisher has a connection of its own for a while.
    let before = handles();
    for (let look = 0; look < 10; look += 1) {
      await sleep(100);
      before = Math.min(before, handles());
    }
    expect(await list('?search=member%202001')).toMatchObject({
      members: [{ name: 'Member 2001' }],
      meta: { pagination: { total: 1 } },
    });
    await eventually(async () => expect(handles()).toBe(before + 1));
    await expect(list('?filter=nothing:1')).rejects.toThrow('400');
  },
);
