// Payloads captured from Ghost: the rows that each shows are put into a publication, changed in the way
// it tells, and our payload must equal it in the fields of the interface.
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { createAdminContext } from '../../../../src/publication/documents/admin/document-context.ts';
import { planEvents, positionOf, type Shown, shownOf } from '../../../helpers/events.ts';
import { createPublication, type Publication } from '../../../helpers/publication.ts';

const FOLDER = join(import.meta.dirname, '../../../fixtures/ghost-small');
const files = readdirSync(FOLDER).filter((name) =>
  /^webhook-(?:post|page|tag|member)\./.test(name),
);

type Json = Record<string, unknown>;

const FIELDS: Readonly<Record<string, string>> = {
  post: `id uuid slug title html comment_id feature_image feature_image_alt feature_image_caption
    featured visibility status created_at updated_at published_at custom_excerpt excerpt
    codeinjection_head codeinjection_foot custom_template canonical_url url reading_time og_image
    og_title og_description twitter_image twitter_title twitter_description meta_title
    meta_description email_subject authors tags primary_author primary_tag`,
  tag: `id slug name description feature_image visibility meta_title meta_description og_image og_title
    og_description twitter_image twitter_title twitter_description codeinjection_head
    codeinjection_foot canonical_url accent_color url created_at updated_at`,
  member: `id uuid email name note geolocation subscribed status comped created_at updated_at
    last_seen_at avatar_image email_count email_opened_count email_open_rate labels subscriptions
    can_comment commenting newsletters tiers`,
  authors: `id slug name profile_image cover_image bio website location facebook twitter meta_title
    meta_description url`,
};
const NESTED: Readonly<Record<string, string>> = {
  authors: 'authors',
  primary_author: 'authors',
  tags: 'tag',
  primary_tag: 'tag',
};

/** What the interface knows of a captured value; Ghost's null excerpt is our empty one. */
const project = (value: unknown, kind: string): unknown => {
  if (Array.isArray(value)) return value.map((item) => project(item, kind));
  if (value === null || typeof value !== 'object') return value;
  const fields = FIELDS[kind]?.split(/\s+/);
  const entries = Object.entries(value).filter(([key]) => fields?.includes(key) ?? true);
  return Object.fromEntries(
    entries.map(([key, item]) => {
      if (key === 'excerpt') return [key, item ?? ''];
      return [key, NESTED[key] === undefined ? item : project(item, NESTED[key])];
    }),
  );
};

const columns = ({ shell }: Publication, table: string): string[] =>
  (shell.pragma(`table_info("${table}")`) as { name: string }[]).map(({ name }) => name);

const stored = (value: unknown): unknown => {
  if (typeof value === 'boolean') return Number(value);
  return value !== null && typeof value === 'object' ? JSON.stringify(value) : value;
};

const put = (publication: Publication, table: string, object: Json): void => {
  const keys = columns(publication, table).filter((key) => object[key] !== undefined);
  publication.shell.pragma('foreign_keys = OFF');
  publication.shell
    .prepare(
      `INSERT INTO "${table}" (${keys.join()}) VALUES (${keys.map(() => '?').join()})
       ON CONFLICT (id) DO UPDATE SET ${keys.map((key) => `${key} = excluded.${key}`).join()}`,
    )
    .run(keys.map((key) => stored(object[key])));
};

const LINKS: Readonly<
  Record<string, readonly [pivot: string, table: string, column: string, owner: string]>
> = {
  tags: ['posts_tags', 'tags', 'tag_id', 'post_id'],
  authors: ['posts_authors', 'users', 'author_id', 'post_id'],
  labels: ['members_labels', 'labels', 'label_id', 'member_id'],
  newsletters: ['members_newsletters', 'newsletters', 'newsletter_id', 'member_id'],
};

const putRecord = (publication: Publication, kind: string, record: Json): void => {
  const table = { post: 'posts', page: 'posts', tag: 'tags', member: 'members' }[kind] ?? '';
  put(publication, table, kind === 'page' ? { ...record, type: 'page' } : record);
  if (table === 'posts' && 'meta_title' in record) {
    put(publication, 'posts_meta', { ...record, id: `m${record.id}`, post_id: record.id });
  }
  const tiers =
    kind === 'member' ? { tiers: ['members_tiers', 'tiers', 'tier_id', 'member_id'] } : {};
  for (const [key, [pivot, other, column, owner]] of Object.entries({ ...LINKS, ...tiers })) {
    const list = record[key] as Json[] | undefined;
    if (list === undefined) continue;
    publication.shell.prepare(`DELETE FROM ${pivot} WHERE ${owner} = ?`).run(record.id);
    for (const [index, item] of list.entries()) {
      const defaults =
        other === 'newsletters' ? { uuid: item.id, slug: item.id, created_at: 0 } : {};
      put(publication, other ?? '', { ...defaults, ...item });
      put(publication, pivot ?? '', {
        id: `${record.id}${index}`,
        [owner ?? '']: record.id,
        [column ?? '']: item.id,
        sort_order: index,
        expiry_at: item.expiry_at ?? undefined,
      });
    }
  }
};

const remove = ({ shell }: Publication, kind: string, id: unknown): void => {
  const table = kind === 'tag' ? 'tags' : kind === 'member' ? 'members' : 'posts';
  shell.pragma('foreign_keys = ON');
  shell.prepare(`DELETE FROM ${table} WHERE id = ?`).run(id);
};

/** Brings the publication from what the payload says was to what it says is. */
const replay = (publication: Publication, event: string, { current, previous }: Shown): number => {
  const kind = event.split('.')[0] ?? '';
  const isCreation =
    event.endsWith('.added') || /"previous":\{\}/.test(JSON.stringify({ previous }));
  const isMetaEdit = isCreation && /\.edited$/.test(event);
  if (current.id === undefined) {
    putRecord(publication, kind, previous);
    const after = positionOf(publication);
    remove(publication, kind, previous.id);
    return after;
  }
  if (isMetaEdit) putRecord(publication, kind, { ...current, og_title: 'before' });
  else if (!isCreation) putRecord(publication, kind, { ...current, ...previous });
  const after = positionOf(publication);
  putRecord(publication, kind, current);
  return after;
};

describe('captured payloads', () => {
  test.each(files)('%s', async (file) => {
    const { body } = JSON.parse(readFileSync(join(FOLDER, file), 'utf8')) as { body: Json };
    const event = String(body.event);
    const kind = event.split('.')[0] ?? '';
    const captured = body[kind] as Shown;
    const publication = await createPublication();
    const after = replay(publication, event, captured);
    const snapshot = publication.store.snapshot();
    const siteUrl = /http:\/\/(?:127\.0\.0\.1|localhost):23680/.exec(JSON.stringify(body))?.[0];
    const context = createAdminContext({
      siteUrl: siteUrl ?? 'http://127.0.0.1:23680',
      tiers: [],
      now: Date.parse('2026-11-21T02:00:00Z'),
    });
    const events = await planEvents(snapshot, {
      generation: 1,
      after,
      changedBytes: true,
      context,
    });
    snapshot.close();
    const ours = shownOf(events, event);
    const fields = kind === 'page' ? 'post' : kind;
    const projected = project(captured.current, fields) as Json;
    expect(project(ours.current, fields)).toMatchObject(projected);
    if (captured.current.id === undefined) {
      expect(ours.current).toEqual({});
      expect(project(ours.previous, fields)).toMatchObject(
        project(captured.previous, fields) as Json,
      );
    } else {
      expect(project(ours.previous, fields)).toEqual(project(captured.previous, fields));
    }
    expect(JSON.stringify(ours)).not.toMatch(/password|secret_sealed|\$2[aby]\$/);
  });
});
