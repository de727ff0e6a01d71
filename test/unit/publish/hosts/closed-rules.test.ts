// Rules that the program of a host could not read where they are written.
import { chmodSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { getHost } from '../../../../src/publish/hosts/hosts.ts';
import { writeHost } from '../../../../src/publish/hosts/placing/write-host.ts';
import { bareHostSite } from '../../../helpers/host-site.ts';
import { temporaryFolder } from '../../../helpers/temporary-folder.ts';

test('Caddy and Varnish, which read rules as users of their own, are told where they cannot', async () => {
  const dataFolder = temporaryFolder();
  const site = bareHostSite({ output: join(dataFolder, 'output') });
  const said = async (name: string, mode: number): Promise<string[]> => {
    chmodSync(dataFolder, mode);
    const { notes } = await writeHost({ host: getHost(name), site, dataFolder });
    return notes.filter((line) => line.includes(`cannot enter ${dataFolder}`));
  };
  expect(await said('caddy', 0o700)).toEqual([expect.stringContaining('--to /etc/caddy')]);
  expect(await said('caddy', 0o755)).toEqual([]);
  // Its program takes seconds to try them.
  expect(getHost('varnish').readsAsUser).toBe(true);
  // Its first process is the superuser's.
  expect(await said('nginx', 0o700)).toEqual([]);
});
