// A publication full of marks: secrets in every place that the output must not show, and shown marks in
// the records beside them, by plain SQL. The rows are those that a live site of Ghost's kind has.
import { createId } from '../../src/base/ids.ts';
import type { SqliteConnection } from '../../src/base/sqlite/driver.ts';
import { RECORD_COLUMNS } from '../../src/publication/tables/record-columns.ts';
import type { Marks } from './marks.ts';
import { insertRow, uuidOf } from './publication.ts';

type Row = Readonly<Record<string, unknown>>;

export type MarkedPublication = {
  readonly insert: (table: string, row: Row) => string;
  readonly author: string;
  /** Inserts a post of the shown author. */
  readonly post: (row: Row) => string;
  /** Inserts a tag and links it. */
  readonly tag: (postId: string, row: Row) => string;
};

const NOW = '2026-01-01T10:00:00.000Z';
const PUBLISHED = { status: 'published', published_at: '2026-02-03 04:05:06' };

/** Columns that hold no text of a writer's own. */
const NO_TEXT = new Set(
  [
    'id uuid slug type status visibility featured show_title_and_feature_image newsletter_id',
    'created_at updated_at published_at post_id email_only',
  ].flatMap((line) => line.split(' ')),
);
const textsOf = (table: 'posts' | 'posts_meta'): string[] =>
  Object.keys(RECORD_COLUMNS[table]).filter((column) => !NO_TEXT.has(column));

const POST_TEXTS = textsOf('posts');
const META_TEXTS = textsOf('posts_meta');

const entries = (columns: readonly string[], value: (column: string) => string): Row =>
  Object.fromEntries(columns.map((column) => [column, value(column)]));

export const createMarkedPublication = (
  shell: SqliteConnection,
  marks: Marks,
): MarkedPublication => {
  const insert = (table: string, row: Row): string =>
    insertRow(shell, table, TIMELESS.has(table) ? row : { created_at: NOW, ...row });
  const author = insert('users', {
    name: marks.shown('author name'),
    slug: marks.shown('author slug'),
    bio: marks.shown('author bio'),
    email: `${marks.secret('author e-mail')}@example.com`,
    accessibility: marks.secret('author accessibility'),
    role: 'Owner',
  });
  const post = (row: Row): string => {
    const id = insert('posts', { ...PUBLISHED, ...row });
    insert('posts_authors', { post_id: id, author_id: author });
    return id;
  };
  const tag = (postId: string, row: Row): string => {
    const id = insert('tags', row);
    insert('posts_tags', { post_id: postId, tag_id: id });
    return id;
  };
  const publication = { insert, author, post, tag };
  plantHidden(publication, marks);
  plantGated(publication, marks);
  plantMembers(publication, marks);
  plantSettings(publication, marks);
  return publication;
};

/** Link tables and others without a time of making. */
const TIMELESS = new Set([
  'posts_meta',
  'posts_authors',
  'posts_tags',
  'posts_tiers',
  'members_labels',
  'members_newsletters',
  'members_tiers',
  'email_recipients',
]);

/** What is not published, or e-mail only: with its tags, its authors and every column. */
const plantHidden = ({ insert, post, tag }: MarkedPublication, marks: Marks): void => {
  const states = ['draft', 'scheduled', 'sent', 'published'].flatMap((status) => [
    { status, type: 'post' },
    { status, type: 'page' },
  ]);
  for (const { status, type } of states) {
    const of = (column: string): string => marks.secret(`${status} ${type}: ${column}`);
    const published_at = { draft: null, scheduled: '2098-01-01 00:00:00' }[status] ?? NOW;
    const slug = of('slug');
    const id = post({ ...entries(POST_TEXTS, of), slug, status, type, published_at });
    insert('posts_meta', { post_id: id, ...entries(META_TEXTS, of), email_only: 1 });
    tag(id, entries(['name', 'slug', 'description', 'feature_image', 'meta_title'], of));
    const writer = insert('users', entries(['name', 'slug', 'bio', 'email', 'location'], of));
    insert('posts_authors', { post_id: id, author_id: writer });
  }
};

const BLOCK_END = '<!--kg-gated-block:end-->';
const blockFor = (members: string, html: string): string =>
  `<!--kg-gated-block:begin nonMember:false memberSegment:"${members}" -->${html}${BLOCK_END}`;

const plantGated = ({ insert, post }: MarkedPublication, marks: Marks): void => {
  for (const visibility of ['members', 'paid', 'tiers', 'status:-free']) {
    const of = (label: string): string => marks.secret(`${visibility}: ${label}`);
    const beyond = entries(['plaintext', 'mobiledoc', 'lexical'], of);
    const title = marks.shown(`${visibility}: title`);
    post({ title, visibility, ...beyond, html: `<p>${of('text')}</p>` });
    const free = marks.shown(`${visibility}: before the paywall`);
    const tail = `<p>${of('after the paywall')}</p><img src="/${of('image')}.png">`;
    const html = `<p>${free}</p><!--members-only-->${tail}<!--members-only-->${of('end')}`;
    for (const type of ['post', 'page']) post({ type, visibility, ...beyond, html });
  }
  const hidden = ['', 'status:free', 'status:-free', 'status:free,status:-free'].map((segment) =>
    blockFor(segment, `<p>${marks.secret(`block for "${segment}"`)}</p>`),
  );
  const open = marks.shown('beside gated blocks');
  const id = post({
    html: `<p>${open}</p>${hidden.join('<p>between</p>')}`,
    plaintext: `${open} ${marks.secret('plaintext with gated blocks')}`,
    lexical: marks.secret('lexical with gated blocks'),
    email_recipient_filter: marks.secret('e-mail filter'),
  });
  insert('posts_meta', { post_id: id, frontmatter: marks.secret('frontmatter of a public post') });
  const tier = insert('tiers', {
    slug: marks.secret('tier slug'),
    ...entries(['name', 'description', 'welcome_page_url'], (column) =>
      marks.secret(`tier ${column}`),
    ),
  });
  const closed = post({ visibility: 'tiers', html: marks.secret('text for one tier') });
  insert('posts_tiers', { post_id: closed, tier_id: tier });
};

const plantMembers = ({ insert, post }: MarkedPublication, marks: Marks): void => {
  const of = (label: string): string => marks.secret(`member: ${label}`);
  const member = insert('members', {
    email: `${of('e-mail')}@example.com`,
    transient_id: of('transient id'),
    geolocation: JSON.stringify({ country: of('country'), city: of('city') }),
    commenting: JSON.stringify({ disabled: true, disabledReason: of('comment ban') }),
    ...entries(['name', 'expertise', 'note'], of),
  });
  const label = insert('labels', { name: of('label'), slug: of('label slug') });
  insert('members_labels', { member_id: member, label_id: label });
  const newsletter = insert('newsletters', {
    uuid: uuidOf(createId()),
    ...entries(
      'name slug description sender_name sender_email header_image footer_content'.split(' '),
      (column) => marks.secret(`newsletter ${column}`),
    ),
  });
  insert('members_newsletters', { member_id: member, newsletter_id: newsletter });
  const customer = of('customer id');
  insert('customers', { member_id: member, customer_id: customer, name: of('customer name') });
  insert('subscriptions', {
    customer_id: customer,
    status: 'active',
    current_period_end: NOW,
    start_date: NOW,
    plan_amount: 500,
    ...entries(
      ['subscription_id', 'cancellation_reason', 'default_payment_card_last4', 'plan_id'],
      of,
    ),
    ...entries(['plan_nickname', 'plan_interval', 'plan_currency'], of),
  });
  insert('members_created_events', {
    member_id: member,
    source: 'member',
    ...entries(['attribution_url', 'referrer_source', 'referrer_url'], of),
  });
  const mailed = post({ newsletter_id: newsletter, html: `<p>${marks.shown('mailed post')}</p>` });
  const email = insert('emails', {
    post_id: mailed,
    uuid: uuidOf(createId()),
    subject: of('subject of the mail'),
    submitted_at: NOW,
  });
  insert('email_recipients', {
    email_id: email,
    member_id: member,
    ...entries(['batch_id', 'member_uuid', 'member_email', 'member_name'], of),
  });
  insert('suppressions', {
    email: `${of('suppressed')}@example.com`,
    reason: of('reason'),
    email_id: email,
  });
};

const SECRET_SETTINGS: Readonly<Record<string, string>> = {
  session_secret: 'core',
  members_private_key: 'core',
  db_hash: 'core',
  password: 'private',
  public_hash: 'private',
  stripe_secret_key: 'members',
  mailgun_api_key: 'email',
  slack_url: 'slack',
  portal_signup_terms_html: 'portal',
  labs: 'labs',
  something_later: 'site',
};

const plantSettings = ({ insert }: MarkedPublication, marks: Marks): void => {
  for (const [key, group] of Object.entries(SECRET_SETTINGS)) {
    insert('settings', { key, group, value: marks.secret(`setting ${key}`) });
  }
  for (const key of ['title', 'description', 'meta_title']) {
    insert('settings', { key, value: marks.shown(`setting ${key}`) });
  }
};
