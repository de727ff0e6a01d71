// The one table of settings: name, environment variable, default, type and help. docs/settings.md and --help are made
// from it. What belongs to the publication (title, timezone, ...) is not here: it lives in the database.
import type * as z from 'zod';
import { REDELIVERY_DAYS } from '../base/limits.ts';
import { deployTargets } from './deploy-targets.ts';
import { MEDIA_SETTINGS } from './media-settings.ts';
import {
  absoluteUrl,
  basePath,
  count,
  database,
  encodings,
  flag,
  folder,
  hostNames,
  listenAddress,
  listenHost,
  listPages,
  mailAddress,
  mailServer,
  oneOf,
  origin,
  otherQueries,
  path,
  previewLinks,
  proxies,
  reachables,
  text,
  variantNames,
} from './schemas.ts';
import { type Setting, secret, setting } from './setting.ts';
import { SITE_SETTINGS } from './site-settings.ts';

export const SETTINGS = {
  database: setting(
    database.default('data/publication.db'),
    'data/publication.db',
    'The publishing database: a SQLite file, or postgres://user:password@host/database for several servers.',
  ),
  data: setting(
    folder.default('data'),
    'data',
    'Data folder of a server whose publication is in PostgreSQL. With SQLite, it is the folder of the file.',
  ),
  lead: setting(
    oneOf(['auto', 'never']).default('auto'),
    'auto',
    'Whether this server may lead the other servers of a publication in PostgreSQL; never: it only reads, and has no admin interface.',
  ),
  output: setting(folder.default('output'), 'output', 'Folder of the generated tree.'),
  ...MEDIA_SETTINGS,
  basePath: setting(
    basePath.default(''),
    '(empty)',
    'Path before /content and /admin, such as /blog.',
  ),
  siteUrl: setting(
    absoluteUrl.optional(),
    'that of the import, else http://localhost:PORT',
    'Public address of the site, used in every url.',
  ),
  adminUrl: setting(
    absoluteUrl
      .refine(
        (url) => !/\/(?:desk|admin|ghost)$/.test(url),
        'must be without /desk, /admin or /ghost at its end',
      )
      .optional(),
    'http://HOST:PORT',
    'Public address of the companion server, used in mailed links and preview links.',
  ),
  host: setting(
    listenHost.default('127.0.0.1'),
    '127.0.0.1',
    'Address that the server listens on.',
  ),
  port: setting(count(0, 65_535).default(4000), '4000', 'Port that the server listens on.'),
  contentKey: setting(
    oneOf(['required', 'optional']).default('required'),
    'required',
    'Whether the companion server requires a content key.',
  ),
  shape: setting(
    oneOf(['interface', 'ghost']).default('interface'),
    'interface',
    'Keys of content records: those of this interface, or `ghost`: all keys of Ghost 6.65, in its order, for clients that check whole records.',
  ),
  'lists.max': setting(
    count(1, 100_000).default(1_000),
    '1000',
    'The greatest number of records in a list, and in an answer to a query.',
  ),
  'lists.pages': setting(
    listPages.default('auto'),
    'auto',
    'Pages of each list that are written as files: a number, or all. auto: all if a host in `hosts` runs no queries, or if `deploy` is set and `hosts` is empty; else one.',
  ),
  otherQueries: setting(
    otherQueries.default('refuse'),
    'refuse',
    'What hosts without code do with queries that no file answers: refuse, ignore (the parameters), or the address of a companion server to pass them to.',
  ),
  otherQueriesStaleSeconds: setting(
    count(0, 86_400).default(60),
    '60',
    'Seconds for which nginx, Varnish and CloudFront may send an older answer to such a query while the companion server is down. The setting of that server is the upper limit.',
  ),
  searchIndex: setting(
    flag.default(true),
    'true',
    'Whether to write the files that search in the browser reads (search-index).',
  ),
  keepReplacedHours: setting(
    count(0, 720).default(24),
    '24',
    'Hours for which replaced files of the packed tree stay, for readers who still use them.',
  ),
  ...SITE_SETTINGS,
  previewLinks: setting(
    previewLinks.default('off'),
    'off',
    'Links that show unpublished posts and expire: off, on (a page of the companion server), or the address of a site that shows them, with {uuid}, {type} and {token} in it.',
  ),
  sourceKey: secret(
    text.optional(),
    'none',
    'Content API key of a Ghost that is read through its address. Set it in the environment, which the process list does not show.',
  ),
  smtp: secret(
    mailServer.optional(),
    'off: mail is kept as files under data/mail/',
    'Mail server: smtp:// or smtps:// with its user and password.',
  ),
  mailFrom: setting(
    mailAddress.optional(),
    'noreply@ the host of siteUrl',
    'Address that mail is sent from.',
  ),
  precompress: setting(
    encodings.default([]),
    '(empty)',
    'Encodings (gzip, br) in which each document is also written, for servers that send precompressed files.',
  ),
  hosts: setting(
    hostNames.default([]),
    '(empty)',
    'Hosts whose rules are written with every build; `prepress hosts list` names them.',
  ),
  profile: setting(
    oneOf(['literal', 'by-id', 'packed', 'plain-files']).default('literal'),
    'literal',
    'Which files hosts get. literal: every address; by-id: no files by slug; packed: no lists or records (both need code at the host); plain-files: also index.html copies.',
  ),
  variants: setting(
    variantNames.optional(),
    'all',
    'Variants of records that hosts get, such as index,authors-tags. The largest is always among them; for a missing one, the next larger is sent.',
  ),
  defaultVariants: setting(
    variantNames.default(['authors-tags', 'count-posts']),
    'authors-tags,count-posts',
    'Variants that index.html copies show: the first one that the resource has, else index.',
  ),
  hostKeys: setting(
    flag.default(false),
    'false',
    'Whether hosts that run code require a content key. They get the SHA-256 of the keys in force.',
  ),
  hostOrigin: setting(
    origin.default({ host: '127.0.0.1', port: 8080 }),
    '127.0.0.1:8080',
    'File server behind the cache (Varnish).',
  ),
  hostShield: setting(
    flag.default(false),
    'false',
    'Whether the rules for nginx, Caddy and Apache run in front of a Ghost, on its own site, and answer only /ghost/api/content/.',
  ),
  hostRoot: setting(
    path.optional(),
    'the folder of the output',
    'Path of the output folder as the host sees it. nginx, Caddy and Apache need a whole path, such as /srv/www.',
  ),
  hostsReload: setting(
    text.optional(),
    'off',
    'Command that runs after a build changed the rules for nginx, Caddy or Varnish. The rules are tested first.',
  ),
  avatar: setting(
    flag.default(true),
    'true',
    'Whether members have an avatar at gravatar.com, whose address is a hash of their e-mail address.',
  ),
  deploy: secret(
    deployTargets.default([]),
    '(empty)',
    'Where every publish is deployed: `dir:/path`, `s3://bucket/prefix`, `exec:COMMAND`, or a list of such and of objects such as {"target": "s3://bucket", "endpoint": ..., "region": ..., "invalidate": ...}.',
  ),
  deployWaitMinutes: setting(
    count(0, 1_440).default(60),
    '60',
    'How long webhooks wait for the targets of `deploy`. Then they are sent anyway, with a warning.',
  ),
  follow: secret(
    path.optional(),
    'off',
    'Source to follow: a Ghost database (mysql://user:password@host/database, or a SQLite file), or the address of a Ghost.',
  ),
  followSeconds: setting(
    count(1, 86_400).default(30),
    '30',
    'Seconds between checks of that source. A call of the build hook, or a change of a SQLite file, starts a check at once.',
  ),
  followImages: setting(
    path.optional(),
    'off',
    'Where the pictures of the source are: a folder or an address.',
  ),
  followSecret: secret(
    text.optional(),
    'off',
    "Secret of the source's webhook: build hooks then accept only calls that Ghost signed with it.",
  ),
  ownerEmail: setting(
    mailAddress.optional(),
    'off',
    'E-mail address to notify when a webhook is disabled.',
  ),
  webhookAllow: setting(
    reachables.default([]),
    '(empty)',
    'Private hosts or networks (CIDR) that webhooks may reach and pictures may come from. With a port, such as 10.0.0.7:8080, only that port.',
  ),
  redeliveryDays: setting(
    count(0, 30).default(REDELIVERY_DAYS),
    String(REDELIVERY_DAYS),
    'Days for which a successful delivery can be resent. Then its body is dropped.',
  ),
  readback: setting(
    absoluteUrl.optional(),
    'off',
    'Public site where changed documents must be readable before webhooks are sent.',
  ),
  authFailuresMax: setting(
    count(1, 1_000_000).default(20),
    '20',
    'Failed authentications per address in 10 minutes before 429.',
  ),
  trustProxy: setting(
    proxies.default(false),
    'false',
    'Proxies whose X-Forwarded-For names the client: how many are in front of this server, or a list of their addresses (CIDR).',
  ),
  connectionsMax: setting(
    count(16, 100_000).default(512),
    '512',
    'The greatest number of open connections. A further one closes the one that has been idle longest.',
  ),
  connectionsPerAddressMax: setting(
    count(6, 100_000).default(128),
    '128',
    'The greatest number of open connections of one client address (IPv6: its /64 network). A further one closes one of its own. Trusted proxies and this machine have no such limit.',
  ),
  answersMax: setting(
    count(1, 100_000).default(128),
    '128',
    'The greatest number of answers in progress, not counting the admin interface. Further requests wait.',
  ),
  answersPerAddressMax: setting(
    count(1, 100_000).default(64),
    '64',
    'The same for one client address, except this machine and proxies.',
  ),
  answerMegabytesMax: setting(
    count(4, 1_000_000).default(48),
    '48',
    'Memory in MB that all answers in progress may use together.',
  ),
  metrics: setting(
    listenAddress.optional(),
    'off',
    'Address of a separate listener for `/metrics`, such as 127.0.0.1:9464.',
  ),
  logLevel: setting(
    oneOf(['fatal', 'error', 'warn', 'info', 'debug', 'silent']).default('info'),
    'info',
    'How much the server logs.',
  ),
} as const satisfies Record<string, Setting<unknown>>;

export type SettingName = keyof typeof SETTINGS;

export type Config = { readonly [N in SettingName]: z.output<(typeof SETTINGS)[N]['schema']> };

export const SETTING_NAMES = Object.keys(SETTINGS) as SettingName[];
