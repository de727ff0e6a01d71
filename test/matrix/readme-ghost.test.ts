// README's "You run Ghost", as it stands: its three commands are read from there and run in a new folder, with a real
// nginx at the end whose blocks include the files that the second one writes, as it says. An edit in Ghost is then read
// through nginx. Only the address of the database is the test's own.
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, onTestFinished, test } from 'vitest';
import { eventually } from '../helpers/eventually.ts';
import { fillFromSqlite } from '../helpers/fill-mariadb.ts';
import {
  type GhostShell,
  openGhostFile,
  openGhostServer,
  placeGhostDatabase,
} from '../helpers/ghost-shell.ts';
import { prepress, spawnPrepress } from '../helpers/run-prepress.ts';
import { temporaryFolder } from '../helpers/temporary-folder.ts';
import { askAt } from './ask.ts';
import { MARIADB_INSTALL, startMariadb } from './mariadb-process.ts';
import { NGINX_INSTALL, startNginx } from './nginx-process.ts';
import { missing } from './program.ts';

const README_ADDRESS = 'mysql://ghost:password@127.0.0.1/ghost';

/** Words of each command, without `npx prepress` and what follows a `#`. */
const readCommands = (address: string): readonly string[][] => {
  const readme = readFileSync(join(import.meta.dirname, '../../README.md'), 'utf8');
  const [, block = ''] = /## You run Ghost[\s\S]*?```sh\n([\s\S]*?)```/.exec(readme) ?? [];
  return block
    .trim()
    .split('\n')
    .map((line) => {
      const [npx, program, ...words] = line.replace(/ +#.*$/, '').split(' ');
      expect([npx, program]).toEqual(['npx', 'prepress']);
      return words.map((word) => (word === README_ADDRESS ? address : word));
    });
};

const followAsReadme = async (folder: string, address: string, ghost: GhostShell) => {
  const commands = readCommands(address);
  expect(commands).toHaveLength(3);
  const [take = [], hosts = [], follow = []] = commands;
  await prepress(folder, take);
  const said = await prepress(folder, hosts);
  const [http = '', server = ''] = [...said.matchAll(/^Wrote (.*)$/gm)].map(
    ([, file]) => `include ${file};`,
  );
  const nginx = await startNginx({ folder: join(folder, 'nginx'), http, server });
  onTestFinished(nginx.end);
  const environment = { PREPRESS_FOLLOW_SECONDS: '1' };
  const child = spawnPrepress(folder, follow, { environment });
  const closed = once(child, 'close');
  child.stderr.resume();
  onTestFinished(async () => {
    child.kill('SIGKILL');
    await closed;
  });
  const shown = async (): Promise<string[]> => {
    const { status, body } = await askAt(nginx.port)({ path: '/content/posts/' });
    expect(status).toBe(200);
    const { posts } = JSON.parse(body.toString()) as { posts: { title: string; url: string }[] };
    expect(posts[0]?.url).toMatch(/^https:\/\/example\.com\//);
    return posts.map(({ title }) => title);
  };
  expect((await shown()).length).toBeGreaterThan(0);
  const edit = "UPDATE posts SET title = 'Edited in Ghost', updated_at = '2026-11-20 00:00:00'";
  await ghost.commit([[edit]]);
  await eventually(async () =>
    expect(new Set(await shown())).toEqual(new Set(['Edited in Ghost'])),
  );
};

const nginxReason = missing('nginx', NGINX_INSTALL);
const mariadbReason = nginxReason ?? missing('mariadbd', MARIADB_INSTALL);
const named = (reason: string | null): string => (reason === null ? '' : ` (skipped: ${reason})`);

describe.skipIf(nginxReason !== null)(`You run Ghost${named(nginxReason)}`, () => {
  test('with its SQLite file', async () => {
    const folder = temporaryFolder();
    const file = placeGhostDatabase(folder);
    const ghost = openGhostFile(file);
    onTestFinished(ghost.close);
    await followAsReadme(folder, file, ghost);
  });

  test.skipIf(mariadbReason !== null)(`with MariaDB${named(mariadbReason)}`, async () => {
    const folder = temporaryFolder();
    const server = await startMariadb(folder);
    onTestFinished(server.end);
    await fillFromSqlite(server.root, 'ghost', placeGhostDatabase(folder));
    const ghost = await openGhostServer(await server.connect('ghost'));
    onTestFinished(ghost.close);
    await followAsReadme(folder, await server.addressOf('ghost'), ghost);
  });
});
