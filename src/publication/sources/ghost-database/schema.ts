// Whether a database is one of Ghost that can be read: its tables and columns, whatever its version says, and that no
// migration is under way. Throws SOURCE_NOT_GHOST, SOURCE_MIGRATING or SOURCE_VERSION, each with one sentence.
import { PrepressError } from '../../../base/errors.ts';
import type { Wanted } from '../source.ts';
import type { DatabaseReader } from './reader.ts';

/** What every database of Ghost has, whatever its version. */
const HALLMARKS = ['migrations', 'migrations_lock'];
/** What one before version 1 has, too, whose migrations stand in no table. */
const OLD_HALLMARKS = ['posts', 'posts_tags', 'settings'];
/** What no Ghost has. */
const OWN_HALLMARK = 'published_position';

/** Tables that came with version 5, and so stand in each of version 6. */
const REQUIRED_SINCE_6 = [
  'suppressions',
  'members_created_events',
  'members_subscription_created_events',
];

/**
 * What versions 5 and 6 have from their first release on, as far as imports read it: tables, and beside `id` the
 * columns without which rows would come empty, in part or whole, hidden or unlinked, or be refused, and nobody would
 * know why. Columns that a later version may well drop are left out.
 */
const REQUIRED_COLUMNS: Readonly<Record<string, string>> = {
  posts: `title slug html plaintext status type visibility published_at updated_at uuid comment_id created_at
    feature_image featured custom_excerpt codeinjection_head codeinjection_foot custom_template canonical_url
    newsletter_id email_recipient_filter`,
  users: `name slug email profile_image cover_image bio website location facebook twitter meta_title
    meta_description created_at`,
  settings: 'key value',
  posts_meta: `post_id email_only og_image og_title og_description twitter_image twitter_title twitter_description
    meta_title meta_description email_subject feature_image_alt feature_image_caption`,
  posts_tags: 'post_id tag_id sort_order',
  posts_authors: 'post_id author_id sort_order',
  posts_products: 'post_id product_id',
  tags: `name slug visibility description feature_image og_image og_title og_description twitter_image
    twitter_title twitter_description meta_title meta_description codeinjection_head codeinjection_foot
    canonical_url accent_color created_at`,
  roles: 'name',
  roles_users: 'role_id user_id',
  products: 'name slug active welcome_page_url visibility description type created_at',
  benefits: 'name slug created_at',
  products_benefits: 'product_id benefit_id',
  newsletters: `name slug uuid description sender_name sender_email sender_reply_to status visibility
    subscribe_on_signup sort_order`,
  members:
    'uuid email status name note geolocation email_count email_opened_count last_seen_at created_at',
  labels: 'name slug created_at',
  members_labels: 'member_id label_id',
  members_newsletters: 'member_id newsletter_id',
  members_products: 'member_id product_id',
  members_stripe_customers: 'member_id customer_id name email',
  members_stripe_customers_subscriptions: `customer_id subscription_id status stripe_price_id cancel_at_period_end
    current_period_end start_date mrr offer_id`,
  offers: `name code product_id active interval currency discount_type discount_amount duration
    duration_in_months portal_title portal_description`,
  offer_redemptions: 'offer_id member_id created_at',
  stripe_products: 'product_id stripe_product_id',
  stripe_prices: 'stripe_price_id stripe_product_id active currency amount type interval',
  emails: 'post_id uuid status subject email_count submitted_at newsletter_id',
  email_recipients: 'email_id member_id delivered_at opened_at failed_at member_email',
  members_product_events: 'member_id product_id action created_at',
  members_status_events: 'member_id from_status to_status created_at',
  members_subscribe_events: 'member_id subscribed source newsletter_id created_at',
};

/** Columns of a table that every database has. */
export const requiredColumns = (table: string): readonly string[] =>
  REQUIRED_COLUMNS[table]?.split(/\s+/) ?? [];

/** Of others nobody knows yet, or any more, what they have. */
const KNOWN: readonly number[] = [5, 6];

/** Returns the version, as `6.65`. */
export const checkSchema = async (name: string, reader: DatabaseReader): Promise<string> => {
  const strange = HALLMARKS.find((table) => !reader.tables.has(table));
  if (strange !== undefined) {
    await reader.throwIfHidden(strange);
    const { tables } = reader;
    const hasNone = ![...HALLMARKS, OWN_HALLMARK].some((table) => tables.has(table));
    if (hasNone && OLD_HALLMARKS.every((table) => tables.has(table))) {
      const sentence = `${name} is of a Ghost before version 1: it has no table "${strange}".`;
      throw new PrepressError('SOURCE_VERSION', sentence);
    }
    if (tables.has(OWN_HALLMARK)) throw notGhost(`${name} is a publication of Prepress.`);
    throw notGhost(`${name} is not a database of Ghost 5 or later: it has no table "${strange}".`);
  }
  // A schema that is being made lacks tables, too.
  await throwIfMigrating(name, reader);
  const version = await readVersion(name, reader);
  const major = Number.parseInt(version, 10);
  const refuse = (missing: string): PrepressError =>
    KNOWN.includes(major)
      ? notGhost(`${name} has no ${missing}, which Ghost ${version} has.`)
      : new PrepressError(
          'SOURCE_VERSION',
          `${name} is of Ghost ${version} and has no ${missing}, which Prepress needs.`,
        );
  const required = [...Object.keys(REQUIRED_COLUMNS), ...(major >= 6 ? REQUIRED_SINCE_6 : [])];
  const missing = required.find((table) => !reader.tables.has(table));
  if (missing !== undefined) {
    await reader.throwIfHidden(missing);
    throw refuse(`table "${missing}"`);
  }
  for (const table of Object.keys(REQUIRED_COLUMNS)) {
    const column = ['id', ...requiredColumns(table)].find(
      (one) => !reader.tables.get(table)?.includes(one),
    );
    if (column === undefined) continue;
    await reader.throwIfHidden(table, column);
    throw refuse(`column "${table}.${column}"`);
  }
  return version;
};

/**
 * Columns that came with a later version may be absent, but none may be hidden from this user: rows would come without
 * what the source has. Throws SOURCE_NO_PERMISSION.
 */
export const throwIfHidden = async (
  reader: DatabaseReader,
  wanted: readonly Wanted[],
): Promise<void> => {
  for (const { table, columns = [] } of wanted) {
    const present = reader.tables.get(table);
    if (present === undefined) continue;
    for (const column of columns) {
      if (!present.includes(column)) await reader.throwIfHidden(table, column);
    }
  }
};

const notGhost = (sentence: string): PrepressError =>
  new PrepressError('SOURCE_NOT_GHOST', sentence);

const throwIfMigrating = async (name: string, reader: DatabaseReader): Promise<void> => {
  for await (const rows of reader.read({ table: 'migrations_lock' })) {
    if (rows.some(({ locked }) => Number(locked) !== 0)) {
      const sentence = `Ghost is migrating the schema of ${name}, or stopped in the middle of that.`;
      throw new PrepressError('SOURCE_MIGRATING', sentence);
    }
  }
};

/** The newest version that a migration was run by. */
const readVersion = async (name: string, reader: DatabaseReader): Promise<string> => {
  const versions: string[] = [];
  for await (const rows of reader.read({ table: 'migrations' })) {
    for (const { version, currentVersion } of rows) {
      versions.push(...[version, currentVersion].filter(isVersion));
    }
  }
  const newest = versions.sort((a, b) => VERSION_ORDER.compare(b, a))[0];
  if (newest === undefined) {
    throw notGhost(`${name} does not say which version of Ghost it is of.`);
  }
  return newest;
};

const VERSION_ORDER = new Intl.Collator('en', { numeric: true });

const isVersion = (value: unknown): value is string =>
  typeof value === 'string' && /^\d+\.\d+/.test(value);
