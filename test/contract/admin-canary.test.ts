// The admin interface in all its operations, right and wrong, with secrets that are known: none of them
// may stand in the log, an error, a mail, the output or the database file.
import { existsSync } from 'node:fs';
import { expect, test } from 'vitest';
import { ADMIN_OPERATIONS, exampleBody } from '../../src/serve/contract/operations/operations.ts';
import { createLogger } from '../../src/serve/server/log/logger.ts';
import { bytesIn } from '../helpers/canary.ts';
import { startMailServer } from '../helpers/mail-server.ts';
import { isOnPostgres } from '../helpers/publication.ts';
import { type Served, serve, signToken } from '../unit/serve/server/harness.ts';

type Json = Record<string, unknown>;

const EMAIL = 'canary-member@example.com';
const SENDER = 'canary-sender@example.com';
const LEGACY_SECRET = 'canary-legacy-webhook-secret';
const HEADER = 'canary-own-header';
const BODY = 'canary-own-body';
const PRESET_TOKEN = 'canary-preset-token';

const firstOf = async (response: Response): Promise<Json> => {
  const body = (await response.json()) as Record<string, Json[]>;
  return Object.values(body)[0]?.[0] ?? {};
};

/** Every operation with its example, on a record that exists, on none, and with a wrong token. */
const runOperations = async (served: Served, ids: Json, errors: string[]): Promise<void> => {
  for (const { method, path, body } of ADMIN_OPERATIONS) {
    const resource = path.split('/')[2] ?? '';
    for (const id of [ids[resource], 'f'.repeat(24), 'canary-id']) {
      if (method === 'delete' && id === ids[resource]) continue;
      const url = path.replace(/\{id\}/, String(id)).replace(/\{\w+\}/, EMAIL);
      const payload =
        body && exampleBody({ ...body, example: { ...(body.example as Json), email: EMAIL } });
      for (const key of [served.adminKey, `${'e'.repeat(24)}:${'ab'.repeat(32)}`]) {
        const hasBody = payload !== undefined;
        const response = await served.get(url, {
          method: method.toUpperCase(),
          headers: {
            authorization: `Ghost ${signToken(key, {})}`,
            cookie: 'session=canary-cookie',
            ...(hasBody && { 'content-type': 'application/json' }),
          },
          ...(hasBody && { body: JSON.stringify(payload) }),
        });
        const text = await response.text();
        if (!response.ok) errors.push(text);
      }
    }
  }
};

test('no secret is found anywhere', async () => {
  const lines: string[] = [];
  const logger = createLogger('debug', { write: (line: string) => void lines.push(line) });
  const { url, received } = await startMailServer();
  const served = await serve({ flags: { smtp: url, authFailuresMax: 1_000_000 }, logger });
  const { admin, adminKey, contentKey, hookToken, folder, output } = served;
  const errors: string[] = [];

  const save = async (resource: string, record: Json): Promise<Json> =>
    firstOf(await admin('POST', `/admin/${resource}/`, { [resource]: [record] }));
  const target = (name: string) => ({
    event: 'post.published',
    target_url: `https://${name}.example/`,
  });
  const made = await save('webhooks', target('a'));
  const legacy = await save('webhooks', { ...target('b'), secret: LEGACY_SECRET });
  const own = { headers: { 'X-Token': HEADER }, body: { token: BODY } };
  const preset = { preset: 'gitlab', token: PRESET_TOKEN };
  const pipeline = 'https://gitlab.example/api/v4/projects/1/ref/main/trigger/pipeline';
  await save('webhooks', { ...target('c'), ...own });
  await save('webhooks', { event: 'site.changed', target_url: pipeline, ...preset });
  for (const wrong of [{ headers: { Host: HEADER } }, { headers: { 'X-A': `${HEADER} ` } }, preset])
    errors.push(
      await (
        await admin('POST', '/admin/webhooks/', { webhooks: [{ ...target('d'), ...wrong }] })
      ).text(),
    );
  const shownWebhooks = await (await admin('GET', '/admin/desk/')).text();
  const key = await save('keys', { type: 'admin', name: 'second' });
  const member = await save('members', { email: EMAIL, note: 'canary-note' });
  const newsletter = await save('newsletters', { name: 'N', sender_email: SENDER });
  const post = await save('posts', { title: 'canary-title' });
  const unsubscribeKey = new URL(String(member.unsubscribe_url)).searchParams.get('key') ?? '';
  const token = /token=([\w-]{43})/.exec(received[0]?.text ?? '')?.[1] ?? '';

  await served.get(`/newsletters/verify/?token=${token}x`);
  await served.get(`/newsletters/verify/?token=${token}`);
  await served.get(`/unsubscribe/?uuid=${member.uuid}&key=${unsubscribeKey}`, { method: 'POST' });
  await served.get(`/content/posts/?key=${contentKey}`);
  await served.get(`/hooks/build/${hookToken}`, { method: 'POST' });
  await runOperations(
    served,
    { webhooks: made.id, members: member.id, newsletters: newsletter.id, posts: post.id },
    errors,
  );
  // A shell of PostgreSQL saves rows, and leaves tables as they are.
  if (!isOnPostgres) {
    served.shell.exec('ALTER TABLE members RENAME TO lost');
    const broken = await admin('POST', '/admin/members/', { members: [{ email: EMAIL }] });
    expect(broken.status).toBe(500);
    errors.push(await broken.text());
  }

  const secrets: Record<string, string> = {
    adminKey: adminKey.split(':')[1] ?? '',
    secondKey: String(key.key).split(':')[1] ?? '',
    contentKey,
    hookToken,
    webhookSecret: String(made.secret),
    standardSecret: String(legacy.standard_secret),
    legacySecret: LEGACY_SECRET,
    ownHeader: HEADER,
    ownBody: BODY,
    presetToken: PRESET_TOKEN,
    token,
    unsubscribeKey,
    mailPassword: 'p@ss',
    mailPasswordEncoded: 'p%40ss',
    jwt: 'eyJ',
    cookie: 'canary-cookie',
  };
  const personal = {
    EMAIL,
    inPath: encodeURIComponent(EMAIL),
    SENDER,
    note: 'canary-note',
    title: 'canary-title',
  };
  const places: [string, string, Record<string, string>][] = [
    ['log', lines.join(''), { ...secrets, ...personal }],
    ['desk', shownWebhooks, secrets],
    ['errors', errors.join(''), { ...secrets, ...personal }],
    ['output', existsSync(output) ? bytesIn(output, () => true) : '', { ...secrets, ...personal }],
    ['database', bytesIn(folder, (name) => name !== 'secret.key'), secrets],
    [
      'mail',
      received.map(({ text }) => text).join(''),
      { ...secrets, ...personal, token: '\u0001', SENDER: '\u0001' },
    ],
  ];
  expect(Object.values(secrets).every((secret) => secret.length > 2)).toBe(true);
  expect(lines.length).toBeGreaterThan(200);
  expect(errors.length).toBeGreaterThan(100);
  for (const [place, text, sought] of places) {
    const found = Object.keys(sought).filter((name) => text.includes(sought[name] ?? ''));
    expect([place, found]).toEqual([place, []]);
  }
});
