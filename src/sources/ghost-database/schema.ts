// Whether a database is one of Ghost that can be read: its tables, its version, and that no migration is
// under way. Throws SOURCE_NOT_GHOST, SOURCE_MIGRATING or SOURCE_VERSION, each with one sentence.
import { PrepressError } from '../../base/errors.ts';
import type { DatabaseReader } from './reader.ts';

/** What every database of Ghost has, whatever its version. */
const HALLMARKS = ['migrations', 'migrations_lock'];

/** What versions 5 and 6 have from their first release on, as far as imports read it. */
const REQUIRED =
  `posts users settings posts_meta posts_tags posts_authors posts_products tags roles roles_users products
  benefits products_benefits newsletters members labels members_labels members_newsletters
  members_products members_stripe_customers members_stripe_customers_subscriptions offers
  offer_redemptions stripe_products stripe_prices emails email_recipients members_product_events
  members_status_events members_subscribe_events`.split(/\s+/);

/** Tables that came with version 5, and so stand in each of version 6. */
const REQUIRED_SINCE_6 = [
  'suppressions',
  'members_created_events',
  'members_subscription_created_events',
];

/** Columns without which posts would come empty, hidden or unlinked, and nobody would know why. */
const REQUIRED_COLUMNS: Readonly<Record<string, string>> = {
  posts: 'title slug html plaintext status type visibility published_at updated_at',
  users: 'name slug email',
  settings: 'key value',
  tags: 'name slug visibility',
  posts_tags: 'post_id tag_id sort_order',
  posts_authors: 'post_id author_id sort_order',
};

const VERSIONS = new Set([5, 6]);

/** Returns the version, as `6.65`. */
export const checkSchema = async (name: string, reader: DatabaseReader): Promise<string> => {
  const strange = HALLMARKS.find((table) => !reader.tables.has(table));
  if (strange !== undefined) {
    await reader.throwIfHidden(strange);
    throw notGhost(`${name} is not a database of Ghost: it has no table "${strange}".`);
  }
  // A schema that is being made lacks tables, too.
  await throwIfMigrating(name, reader);
  const version = await readVersion(name, reader);
  const major = Number.parseInt(version, 10);
  if (!VERSIONS.has(major)) {
    const sentence = `${name} is of Ghost ${version}; only versions 5 and 6 can be read.`;
    throw new PrepressError('SOURCE_VERSION', sentence);
  }
  const required = [...REQUIRED, ...(major === 6 ? REQUIRED_SINCE_6 : [])];
  const missing = required.find((table) => !reader.tables.has(table));
  if (missing !== undefined) {
    await reader.throwIfHidden(missing);
    throw notGhost(`${name} has no table "${missing}", which Ghost ${version} has.`);
  }
  for (const [table, columns] of Object.entries(REQUIRED_COLUMNS)) {
    const column = columns.split(' ').find((one) => !reader.tables.get(table)?.includes(one));
    if (column === undefined) continue;
    await reader.throwIfHidden(table, column);
    throw notGhost(`${name} has no column "${table}.${column}", which Ghost ${version} has.`);
  }
  return version;
};

const notGhost = (sentence: string): PrepressError =>
  new PrepressError('SOURCE_NOT_GHOST', sentence);

const throwIfMigrating = async (name: string, reader: DatabaseReader): Promise<void> => {
  for await (const rows of reader.read({ table: 'migrations_lock' })) {
    if (rows.some(({ locked }) => Number(locked) !== 0)) {
      const sentence = `Ghost is migrating the schema of ${name}, or broke off while it did.`;
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
