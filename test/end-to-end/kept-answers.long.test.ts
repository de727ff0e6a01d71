// The companion server answers an address again from memory: with the same headers and bytes, and never a
// byte or a key longer than they are good for.
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { prepress } from '../helpers/run-prepress.ts';
import { openShell, serve } from '../helpers/serve.ts';
import { temporaryFolder } from '../helpers/temporary-folder.ts';

test('a kept answer ends with its key and with its build', async () => {
  const folder = temporaryFolder();
  const settings = { siteUrl: 'http://localhost:4000' };
  writeFileSync(join(folder, 'prepress.config.json'), JSON.stringify(settings));
  await prepress(folder, ['init']);
  const { get, contentKey } = await serve(folder);
  const shell = openShell(folder);
  const url = `/content/tags/?key=${contentKey}`;
  for (const name of ['One', 'Two', 'Three']) {
    // Kept from the second time on.
    for (let times = 0; times < 2; times += 1) await get(url);
    shell.prepare('UPDATE tags SET name = ? WHERE rowid = 1').run(name);
    // Another program builds: this server finds it done.
    await prepress(folder, ['build']);
    expect(await (await get(url)).text()).toContain(`"${name}"`);
  }
  shell.exec("UPDATE api_keys SET revoked_at = 1 WHERE type = 'content'");
  expect((await get(url)).status).toBe(401);
});
