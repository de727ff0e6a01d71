// The one table of settings: name, environment variable, default, type and help. docs/settings.md and --help are made
// from it. What belongs to the publication (title, timezone, ...) is not here: it lives in the database.
import * as z from 'zod';
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
  hostNames,
  listenAddress,
  listPages,
  mailServer,
  oneOf,
  origin,
  otherQueries,
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
    text.default('data'),
    'data',
    'Folder of what a server keeps of a publication in PostgreSQL; a SQLite file is in its own.',
  ),
  lead: setting(
    oneOf(['auto', 'never']).default('auto'),
    'auto',
    'Whether this server may lead the others of a publication in PostgreSQL; never: it only reads, and has no admin interface.',
  ),
  output: setting(text.default('output'), 'output', 'Folder of the generated tree.'),
  ...MEDIA_SETTINGS,
  basePath: setting(
    basePath.default(''),
    '(empty)',
    'Path before /content and /admin, such as /blog.',
  ),
  siteUrl: setting(
    absoluteUrl.optional(),
    'what the import was told, else http://localhost:PORT',
    'Public address of the site, used in every url.',
  ),
  adminUrl: setting(
    absoluteUrl.optional(),
    'http://HOST:PORT',
    'Public address of the companion server, used in mailed links.',
  ),
  host: setting(text.default('127.0.0.1'), '127.0.0.1', 'Address that the server listens on.'),
  port: setting(count(0, 65_535).default(4000), '4000', 'Port that the server listens on.'),
  contentKey: setting(
    oneOf(['required', 'optional']).default('required'),
    'required',
    'Whether the companion server asks for a content key.',
  ),
  shape: setting(
    oneOf(['interface', 'ghost']).default('interface'),
    'interface',
    'Keys of the content interface: its own, or `ghost`: all that Ghost 6.65 answers, in its order, for clients that check whole records.',
  ),
  'lists.max': setting(
    count(1, 100_000).default(1_000),
    '1000',
    'Records in each list and in each answer to a query, at most.',
  ),
  'lists.pages': setting(
    listPages.default('auto'),
    'auto',
    'Pages of each list that are files: a number, or all; auto: all where a host in `hosts` runs no queries, or `deploy` carries to an unnamed one, else one.',
  ),
  otherQueries: setting(
    otherQueries.default('refuse'),
    'refuse',
    'What hosts that run no code do with queries that no file answers: refuse, ignore (the parameters), or pass them on to the companion server with this address.',
  ),
  otherQueriesStaleSeconds: setting(
    count(0, 86_400).default(60),
    '60',
    'Seconds for which nginx, Varnish and CloudFront send an older answer to such a query while the companion server is away; its own setting is the most that it grants.',
  ),
  searchIndex: setting(
    flag.default(true),
    'true',
    'Whether the files that search in the browser reads are written (search-index).',
  ),
  keepReplacedHours: setting(
    count(0, 720).default(24),
    '24',
    'Hours for which replaced files of the packed tree stay, for readers under way.',
  ),
  ...SITE_SETTINGS,
  previewLinks: setting(
    previewLinks.default('off'),
    'off',
    'Whether links that end show posts that are not published: off, on (a page of the companion server), or the address of a site that shows them, with {uuid}, {type} and {token} in it.',
  ),
  sourceKey: secret(
    text.optional(),
    'none',
    'Content API key of a Ghost that is read through its address; in the environment, no list of processes shows it.',
  ),
  smtp: secret(
    mailServer.optional(),
    'off: mail is kept as files under data/mail/',
    'Mail server: smtp:// or smtps:// with its user and password.',
  ),
  mailFrom: setting(
    z.email('must be an e-mail address').optional(),
    'noreply@ the host of siteUrl',
    'Address that mail is sent from.',
  ),
  precompress: setting(
    encodings.default([]),
    '(empty)',
    'Encodings (gzip, br) in which each document is also written, as a file beside it for servers that send such.',
  ),
  hosts: setting(
    hostNames.default([]),
    '(empty)',
    'Hosts whose files are written with every build; `prepress hosts list` names them.',
  ),
  profile: setting(
    oneOf(['literal', 'by-id', 'packed', 'plain-files']).default('literal'),
    'literal',
    'What hosts get: every address as a file; by-id: no files by slug; packed: no lists and records (both where code answers); plain-files: index.html copies too.',
  ),
  variants: setting(
    variantNames.optional(),
    'all',
    'Variants of records that hosts get, such as index,authors-tags; the largest always. For others the next larger is sent.',
  ),
  defaultVariants: setting(
    variantNames.default(['authors-tags', 'count-posts']),
    'authors-tags,count-posts',
    'Variants of the index.html copies: each resource takes the first that it has, else index.',
  ),
  hostKeys: setting(
    flag.default(false),
    'false',
    'Whether hosts that run code ask for a content key; they are given the SHA-256 of the keys in force.',
  ),
  hostOrigin: setting(
    origin.default({ host: '127.0.0.1', port: 8080 }),
    '127.0.0.1:8080',
    'The server of the files, for rules of a cache in front of it (Varnish).',
  ),
  hostShield: setting(
    flag.default(false),
    'false',
    'Whether the rules for nginx, Caddy and Apache stand before a Ghost, in its own site, and take /ghost/api/content/ alone.',
  ),
  hostRoot: setting(
    text.optional(),
    'the folder of the output',
    'The folder of the output as the host sees it, for rules that name it.',
  ),
  hostsReload: setting(
    text.optional(),
    'off',
    'Command that runs after a build wrote other rules for nginx, Caddy or Varnish, which try them first.',
  ),
  avatar: setting(
    flag.default(true),
    'true',
    'Whether members are shown with their avatar at gravatar.com, whose address is a hash of their e-mail address.',
  ),
  deploy: secret(
    deployTargets.default([]),
    '(empty)',
    'Where every publish is deployed: `dir:/path`, `s3://bucket/prefix`, `exec:COMMAND`, or a list of such and of objects such as {"target": "s3://bucket", "endpoint": ..., "region": ..., "invalidate": ...}.',
  ),
  deployWaitMinutes: setting(
    count(0, 1_440).default(60),
    '60',
    'How long webhooks wait for the targets of `deploy`; then they are sent without those that are down, with a warning.',
  ),
  follow: secret(
    text.optional(),
    'off',
    'Source whose content the publication takes over again and again: a Ghost database (mysql://user:password@host/database, or a SQLite file).',
  ),
  followSeconds: setting(
    count(1, 86_400).default(30),
    '30',
    'Seconds between looks at that source; a call of the build hook, or a change of a SQLite file, is a look at once.',
  ),
  followImages: setting(text.optional(), 'off', 'Where its pictures are: a folder or an address.'),
  followSecret: secret(
    text.optional(),
    'off',
    "Secret of the source's webhook: build hooks then take only calls that Ghost signed with it.",
  ),
  ownerEmail: setting(
    z.email('must be an e-mail address').optional(),
    'off',
    'Where to write when a webhook is disabled.',
  ),
  webhookAllow: setting(
    reachables.default([]),
    '(empty)',
    'Private hosts or networks (CIDR) that webhooks may reach, and that pictures may be fetched from; with a port, such as 10.0.0.7:8080, at that port alone.',
  ),
  redeliveryDays: setting(
    count(0, 30).default(REDELIVERY_DAYS),
    String(REDELIVERY_DAYS),
    'Days for which a delivery that arrived can be sent again; then its body is dropped.',
  ),
  readback: setting(
    absoluteUrl.optional(),
    'off',
    'Public site to read changed documents from before webhooks are sent.',
  ),
  authFailuresMax: setting(
    count(1, 1_000_000).default(20),
    '20',
    'Failed authentications per address in 10 minutes before 429.',
  ),
  trustProxy: setting(
    proxies.default(false),
    'false',
    'Proxies whose X-Forwarded-For names the client: how many stand before this server, or a list of their addresses (CIDR).',
  ),
  connectionsMax: setting(
    count(16, 100_000).default(512),
    '512',
    'Connections at once; a further one replaces the one that was inactive the longest.',
  ),
  connectionsPerAddressMax: setting(
    count(6, 100_000).default(128),
    '128',
    'Connections of one client address (IPv6: its /64 network) at once; a further one replaces one of its own. Proxies that are trusted, and this machine, have no such bound.',
  ),
  answersMax: setting(
    count(1, 100_000).default(128),
    '128',
    'Answers under way at once, but for the admin interface; further requests wait.',
  ),
  answersPerAddressMax: setting(
    count(1, 100_000).default(64),
    '64',
    'The same for one client address, except this machine and proxies.',
  ),
  answerMegabytesMax: setting(
    count(4, 1_000_000).default(48),
    '48',
    'Memory in MB that all answers under way may take together.',
  ),
  metrics: setting(listenAddress.optional(), 'off', 'Address of a listener for `/metrics`.'),
  logLevel: setting(
    oneOf(['fatal', 'error', 'warn', 'info', 'debug', 'silent']).default('info'),
    'info',
    'How much the server logs.',
  ),
} as const satisfies Record<string, Setting<unknown>>;

export type SettingName = keyof typeof SETTINGS;

export type Config = { readonly [N in SettingName]: z.output<(typeof SETTINGS)[N]['schema']> };

export const SETTING_NAMES = Object.keys(SETTINGS) as SettingName[];
