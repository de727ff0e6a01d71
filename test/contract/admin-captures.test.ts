// The captured answers of a real installation against ours over the same rows of its SQLite file; those of its other
// sources are compared in test/matrix/ghost-sources.test.ts.
import { expect, test } from 'vitest';
import { importSource } from '../../src/publication/import/import-source.ts';
import { openGhostSqlite } from '../../src/publication/sources/ghost-sqlite/source.ts';
import { CAPTURED_ADMIN } from '../helpers/captured-admin.ts';
import { CAPTURED_DATABASE, CAPTURED_SITE_URL } from '../helpers/captured-site.ts';
import { serve } from '../unit/serve/server/harness.ts';

test.each(Object.entries(CAPTURED_ADMIN))(
  '%s are those of the capture, in every field of the interface',
  async (_name, differences) => {
    const { admin, context, shell } = await serve({ siteUrl: CAPTURED_SITE_URL });
    // Its own owner has the slug of the captured one.
    shell.exec('DELETE FROM users');
    await importSource(context.store, openGhostSqlite(CAPTURED_DATABASE));
    expect(await differences(admin)).toEqual([]);
  },
);
