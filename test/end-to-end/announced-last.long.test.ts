// A program that goes on leaves its events unqueued while what hosts read cannot be written.
import { mkdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { beforeAll, expect, test } from 'vitest';
import { eventually } from '../helpers/eventually.ts';
import { prepress, spawnPrepress } from '../helpers/run-prepress.ts';
import { copyPublication, openShell } from '../helpers/serve.ts';
import { suiteFolder } from '../helpers/suite-folder.ts';

let template = '';
beforeAll(async () => {
  const folder = suiteFolder();
  template = folder.path;
  await prepress(template, ['init', '--site-url', 'https://site.test']);
  await prepress(template, ['build']);
  return folder.remove;
});

/** A publication with a subscriber, in which the list of changes cannot be written. */
const openScene = () => {
  const folder = copyPublication(template);
  const shell = openShell(folder);
  shell
    .prepare(
      "INSERT INTO webhooks (id, event, target_url, secret_sealed, created_at) SELECT 'w', 'site.changed', 'http://127.0.0.1:1/', secret_sealed, 0 FROM api_keys LIMIT 1",
    )
    .run();
  const changes = join(folder, 'data/changes.json');
  rmSync(changes);
  mkdirSync(changes);
  const events = () => shell.prepare('SELECT count(*) FROM events').pluck().get();
  const edit = () => shell.exec("UPDATE tags SET name = name || 'x'");
  return { folder, edit, events, mend: () => rmSync(changes, { recursive: true }) };
};

test.each(['serve', 'watch'])('prepress %s', async (command) => {
  const { folder, edit, events, mend } = openScene();
  edit();
  const child = spawnPrepress(folder, [command, ...(command === 'serve' ? ['--port', '0'] : [])]);
  const log: string[] = [];
  child.stderr.on('data', (chunk: Buffer) => log.push(chunk.toString()));
  try {
    await eventually(() => expect(log.join('')).toContain('EISDIR'));
    expect(events()).toBe(0);
    mend();
    await eventually(() => expect(events()).toBe(1));
  } finally {
    child.kill('SIGKILL');
  }
});
