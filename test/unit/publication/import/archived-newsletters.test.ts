// Members to whom an archived newsletter alone is attached: they get none, and lines of a CSV take them for such.
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeEach, expect, test } from 'vitest';
import { exportMembersCsv } from '../../../../src/publication/import/members-csv/members-csv-export.ts';
import { deleteChosen } from '../../../../src/publication/store/members/member-bulk.ts';
import { importMembersCsv } from '../../../helpers/import-members.ts';
import { createPublication, type Publication } from '../../../helpers/publication.ts';
import { temporaryFolder } from '../../../helpers/temporary-folder.ts';

let publication: Publication;

beforeEach(async () => {
  publication = await createPublication();
  for (const status of ['active', 'archived']) {
    const names = { name: status, slug: status, uuid: status };
    publication.insert('newsletters', { ...names, status, created_at: '2024-01-01' });
  }
});

const importLine = async (
  cell: string,
  replaces = false,
  createdAt = '',
): Promise<readonly string[]> => {
  const file = join(temporaryFolder(), 'members.csv');
  writeFileSync(file, `email,subscribed_to_emails,created_at\na@t.io,${cell},${createdAt}`);
  return (await importMembersCsv(publication.store, file, { replaces })).warnings;
};

const attached = (): unknown[] =>
  publication.shell
    .prepare(
      'SELECT slug FROM newsletters JOIN members_newsletters ON newsletter_id = newsletters.id ORDER BY slug',
    )
    .pluck()
    .all();

const attachArchived = (): void =>
  void publication.shell.exec(`INSERT INTO members_newsletters (id, member_id, newsletter_id)
    SELECT 'link', members.id, newsletters.id FROM members, newsletters WHERE slug = 'archived'`);

const STAYED = expect.stringContaining('Members who left newsletters here were not resubscribed');

test('a line that calls them subscribed resubscribes them only if the file replaces', async () => {
  await importLine('false');
  attachArchived();
  expect(await importLine('true')).toEqual([STAYED]);
  expect(attached()).toEqual(['archived']);
  expect(await importLine('true', true)).toEqual([]);
  expect(attached()).toEqual(['active', 'archived']);
});

test.each(['', '2999-01-01'])(
  'who left all newsletters has left them once deleted, too: %s',
  async (createdAt) => {
    await importLine('false');
    attachArchived();
    const ids = publication.shell.prepare('SELECT id FROM members').pluck().all().map(String);
    await publication.store.write((tx) => deleteChosen(tx, ids));
    expect(await importLine('true', false, createdAt)).toContainEqual(STAYED);
    expect(attached()).toEqual([]);
  },
);

test('that nobody new was subscribed is said where somebody new would be', async () => {
  const NOBODY = expect.stringContaining('so nobody new was subscribed');
  publication.shell.exec("UPDATE newsletters SET status = 'archived'");
  expect(await importLine('false')).toEqual([]);
  expect(await importLine('true')).not.toContainEqual(NOBODY);
  publication.shell.exec('DELETE FROM members; DELETE FROM left_members');
  expect(await importLine('true')).toContainEqual(NOBODY);
});

test('a line that says that they left keeps them from any newsletter', async () => {
  await importLine('true');
  publication.shell.exec('DELETE FROM members_newsletters');
  attachArchived();
  await importLine('false');
  const noted = 'SELECT newsletter_id FROM members_subscribe_events WHERE subscribed = 0';
  expect(publication.shell.prepare(noted).pluck().all()).toContain(null);
});

test('an export that is imported again takes no archived newsletter', async () => {
  await importLine('true');
  publication.shell.exec('DELETE FROM members_newsletters');
  attachArchived();
  const file = join(temporaryFolder(), 'exported.csv');
  exportMembersCsv(publication.store, file, { filter: null, search: null, timeMs: 0, limit: null });
  const { tables } = await importMembersCsv(publication.store, file, { replaces: true });
  expect(tables.members).toMatchObject({ changed: 0, unchanged: 1 });
  expect(attached()).toEqual(['archived']);
});
