// A Ghost database made by seed: the posts of the bench under Ghost's names, and ten members for each of
// them, every one with a label, a newsletter, two e-mails and where it came from, one in ten paying.

import { loadDriver, type SqliteConnection } from '../src/base/sqlite/driver.ts';
import { GHOST_TABLES } from '../src/publication/import/intake/ghost-tables.ts';
import { makePublication } from './publication.ts';

export const MEMBERS_PER_POST = 10;

/** Makes the SQLite file `path`; returns how many rows it has. */
export const makeGhostSource = async (
  path: string,
  posts: number,
  membersPerPost = MEMBERS_PER_POST,
): Promise<number> => {
  const publication = `${path}.publication`;
  await makePublication(publication, posts);
  const database = new (loadDriver())(path);
  try {
    database.pragma('synchronous = OFF');
    database.exec(`ATTACH '${publication.replaceAll("'", "''")}' AS ours`);
    database.transaction(() => {
      for (const { from, into, renames = {} } of GHOST_TABLES) {
        const theirs = new Map(Object.entries(renames).map(([name, own]) => [own, name]));
        const columns = (database.pragma(`ours.table_info("${into}")`) as { name: string }[])
          .map(({ name }) => `"${name}" AS "${theirs.get(name) ?? name}"`)
          .join(', ');
        database.exec(`CREATE TABLE "${from}" AS SELECT ${columns} FROM ours."${into}";
          CREATE UNIQUE INDEX "${from}_ids" ON "${from}" (id);`);
      }
      database.exec(BOOKKEEPING);
      if (membersPerPost > 0) addMembers(database, posts * membersPerPost);
    })();
    return countRows(database);
  } finally {
    database.close();
  }
};

const countRows = (database: SqliteConnection): number =>
  GHOST_TABLES.map(({ from }) =>
    Number(database.prepare(`SELECT count(*) FROM "${from}"`).pluck().get()),
  ).reduce((sum, rows) => sum + rows, 0);

const BOOKKEEPING = `
  CREATE TABLE roles (id TEXT PRIMARY KEY, name TEXT);
  CREATE TABLE roles_users (id TEXT PRIMARY KEY, role_id TEXT, user_id TEXT);
  CREATE TABLE migrations (id INTEGER PRIMARY KEY, name TEXT, version TEXT, currentVersion TEXT);
  CREATE TABLE migrations_lock (lock_key TEXT PRIMARY KEY, locked INTEGER);
  INSERT INTO migrations VALUES (1, '1-create-tables.js', 'init', '6.65');
  INSERT INTO migrations_lock VALUES ('km01', 0);`;

const id = (kind: string, number = 'n'): string => `'${kind}' || printf('%022x', ${number})`;
const TIME = "'2024-01-01 10:00:00'";

/** Values by table and column, in SQL, of member number `n`. */
const OF_EACH: Readonly<Record<string, Readonly<Record<string, string>>>> = {
  members: {
    id: id('e0'),
    uuid: "printf('%08x-0000-4000-8000-%012x', n, n)",
    email: "'member-' || n || '@example.com'",
    status: "iif(n % 10 = 0, 'paid', 'free')",
    name: "'Member ' || n",
    geolocation: `'{"country":"Norway","region":"Oslo"}'`,
    email_count: '2',
    email_opened_count: '1',
    created_at: TIME,
    updated_at: TIME,
  },
  members_labels: {
    id: id('e1'),
    member_id: id('e0'),
    label_id: id('f0', 'n % 20'),
    sort_order: '0',
  },
  members_newsletters: { id: id('e2'), member_id: id('e0'), newsletter_id: id('f1', '0') },
  members_created_events: {
    id: id('e3'),
    created_at: TIME,
    member_id: id('e0'),
    source: "'member'",
  },
  members_subscribe_events: {
    id: id('e4'),
    member_id: id('e0'),
    subscribed: '1',
    newsletter_id: id('f1', '0'),
    created_at: TIME,
  },
  ...Object.fromEntries(
    ['e5', 'e6'].map((kind, email) => [
      `email_recipients ${email}`,
      {
        id: id(kind),
        email_id: id('f2', String(email)),
        member_id: id('e0'),
        batch_id: id('f3', '0'),
        processed_at: TIME,
        member_uuid: "'00000000-0000-4000-8000-000000000000'",
        member_email: "'member-' || n || '@example.com'",
      },
    ]),
  ),
};

const OF_PAYING: typeof OF_EACH = {
  members_products: {
    id: id('e7'),
    member_id: id('e0'),
    product_id: id('f4', '0'),
    sort_order: '0',
  },
  members_stripe_customers: {
    id: id('e8'),
    member_id: id('e0'),
    customer_id: "'cus_' || n",
    created_at: TIME,
  },
  members_stripe_customers_subscriptions: {
    id: id('e9'),
    customer_id: "'cus_' || n",
    subscription_id: "'sub_' || n",
    stripe_price_id: "'price_0'",
    status: "'active'",
    cancel_at_period_end: '0',
    current_period_end: TIME,
    start_date: TIME,
    mrr: '500',
    plan_id: "'price_0'",
    plan_nickname: "'Monthly'",
    plan_interval: "'month'",
    plan_amount: '500',
    plan_currency: "'usd'",
    created_at: TIME,
  },
};

/** What all members share. */
const OFFERINGS: readonly Rows[] = [
  {
    table: 'labels',
    count: 20,
    columns: { id: id('f0'), name: "'Label ' || n", slug: "'label-' || n", created_at: TIME },
  },
  {
    table: 'newsletters',
    count: 1,
    columns: {
      id: id('f1'),
      uuid: "'10000000-0000-4000-8000-000000000000'",
      name: "'News'",
      slug: "'news'",
      status: "'active'",
      created_at: TIME,
    },
  },
  {
    table: 'products',
    count: 1,
    columns: { id: id('f4'), name: "'Gold'", slug: "'gold'", created_at: TIME },
  },
  {
    table: 'emails',
    count: 2,
    columns: {
      id: id('f2'),
      post_id: id('ce'),
      uuid: "printf('20000000-0000-4000-8000-%012x', n)",
      submitted_at: TIME,
      created_at: TIME,
    },
  },
];

type Rows = {
  readonly table: string;
  /** Values by column, in SQL, of row number `n`. */
  readonly columns: Readonly<Record<string, string>>;
  readonly count: number;
  readonly every?: number;
};

const addMembers = (database: SqliteConnection, count: number): void => {
  for (const rows of OFFERINGS) insert(database, rows);
  for (const [name, columns] of Object.entries(OF_EACH)) {
    insert(database, { table: name.split(' ', 1)[0] ?? name, columns, count });
  }
  for (const [table, columns] of Object.entries(OF_PAYING)) {
    insert(database, { table, columns, count, every: 10 });
  }
};

const insert = (database: SqliteConnection, { table, columns, count, every = 1 }: Rows): void => {
  const names = Object.keys(columns).map((name) => `"${name}"`);
  database.exec(`WITH RECURSIVE numbers (n) AS
    (SELECT 0 UNION ALL SELECT n + ${every} FROM numbers WHERE n + ${every} < ${count})
    INSERT INTO "${table}" (${names.join(', ')}) SELECT ${Object.values(columns).join(', ')} FROM numbers`);
};
