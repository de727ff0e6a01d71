// The setting `avatar`: off, no address is hashed, neither in answers nor in what webhooks are sent.
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { loadDriver } from '../../../../src/base/sqlite/driver.ts';
import { publishOnce } from '../../../../src/publish/cycle/publish-once.ts';
import { createWebhook } from '../../../../src/serve/admin/keys/webhooks.ts';
import { createMember } from '../../../../src/serve/admin/members/members.ts';
import { readMember } from '../../../../src/serve/admin/members/read-members.ts';
import { openWorkspace } from '../../../../src/serve/workspace/workspace.ts';
import { payloadsOf } from '../../../helpers/outbox.ts';
import { temporaryFolder } from '../../../helpers/temporary-folder.ts';
import { testConfig } from '../../../helpers/tree.ts';

/** An avatar in the member that is answered, and in the one that a webhook is sent. */
const avatarsWith = async (flags: Record<string, unknown>) => {
  const site = temporaryFolder();
  const database = join(site, 'data/publication.db');
  const config = testConfig({ database, output: join(site, 'output'), ...flags });
  const workspace = await openWorkspace(config, { create: true });
  onTestFinished(workspace.close);
  const { useCases } = workspace;
  const webhook = { event: 'member.added', target_url: 'https://93.184.216.34/' };
  await createWebhook(useCases, webhook, 'f'.repeat(24));
  const id = await createMember(useCases, { email: 'ada@example.com' }, 'f'.repeat(24));
  await publishOnce(workspace);
  const context = { ...useCases, publicUrl: () => 'https://site.test' };
  const shell = new (loadDriver())(database, { readonly: true });
  onTestFinished(() => void shell.close());
  const [payload = ''] = payloadsOf({ shell }, 'member.added');
  const sent = JSON.parse(payload) as { member: { current: { avatar_image: unknown } } };
  const read = await readMember(context, id, { withAttribution: true });
  return [read.avatar_image, sent.member.current.avatar_image];
};

const HASHED = expect.stringContaining('3e3417d7ef77d5932a6734b916515ed5');

test('on, as it is without the setting', async () => {
  expect(await avatarsWith({})).toEqual([HASHED, HASHED]);
});

test('off', async () => {
  expect(await avatarsWith({ avatar: false })).toEqual([null, null]);
});
