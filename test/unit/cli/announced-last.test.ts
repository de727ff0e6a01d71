// Every command leaves its events unqueued while what hosts read cannot be written.
import { mkdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { beforeAll, expect, test } from 'vitest';
import { runHere, sayHere } from '../../helpers/run-here.ts';
import { copyPublication, openShell } from '../../helpers/serve.ts';
import { suiteFolder } from '../../helpers/suite-folder.ts';

let template = '';
beforeAll(async () => {
  const folder = suiteFolder();
  template = folder.path;
  await sayHere(template, ['init', '--site-url', 'https://site.test']);
  await sayHere(template, ['build']);
  return folder.remove;
});

const SLUG = 'notes-towards-an-issue-about-silt';

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

test.each([['build'], ['publish', SLUG], ['unpublish', 'what-the-salt-pans-know']])(
  'prepress %s',
  async (...command) => {
    const { folder, edit, events, mend } = openScene();
    edit();
    const failed = await runHere(folder, command);
    expect([failed.code, failed.stderr]).toEqual([1, expect.stringContaining('EISDIR')]);
    expect(events()).toBe(0);
    mend();
    await sayHere(folder, ['build']);
    expect(events()).toBe(1);
  },
);
