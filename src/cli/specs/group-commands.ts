// Commands of two words: those that work with one kind of thing.
import type { Group, Spec } from './spec.ts';

const POST_COMMANDS: readonly Spec[] = [
  {
    usage: 'list',
    help: 'list posts and pages of any status',
    run: async (context) => (await import('../commands/content/posts.ts')).postsList(context),
    reads: true,
    examples: ['posts list --status draft --limit 10'],
    options: [
      ['--status <status>', 'draft, published, scheduled or sent'],
      ['--type <type>', 'post or page'],
      ['--limit <number>', 'how many (default 50)'],
    ],
  },
];

const KEY_COMMANDS: readonly Spec[] = [
  {
    usage: 'list',
    help: 'list all keys, without their secrets',
    run: async (context) => (await import('../commands/service/keys.ts')).keysList(context),
    reads: true,
    examples: ['keys list'],
  },
  {
    usage: 'create',
    help: 'create a key and show it once',
    run: async (context) => (await import('../commands/service/keys.ts')).keysCreate(context),
    examples: [
      'keys create --type content --name website',
      'keys create --type admin --name CMS --owner',
    ],
    required: [
      ['--type <type>', 'content, admin or hook'],
      ['--name <name>', 'what it is for'],
    ],
    options: [['--owner', 'an admin key that may also change what other keys made']],
  },
  {
    usage: 'revoke <id>',
    help: 'revoke a key at once',
    run: async (context) => (await import('../commands/service/keys.ts')).keysRevoke(context),
    examples: ['keys revoke 6b00f4d88df29a0456bf5bc4'],
  },
];

const WEBHOOK_COMMANDS: readonly Spec[] = [
  {
    usage: 'create',
    help: 'create a webhook and show its secret once',
    run: async (context) =>
      (await import('../commands/service/webhooks.ts')).webhooksCreate(context),
    examples: [
      'webhooks create --event site.changed --url https://example.com/hook',
      'webhooks create --event site.changed --preset github --token GITHUB_TOKEN --url https://api.github.com/repos/OWNER/REPOSITORY/dispatches',
    ],
    required: [
      ['--event <event>', 'such as post.published or site.changed'],
      ['--url <url>', 'where to send it'],
    ],
    options: [
      ['--name <name>', 'what it is for'],
      [
        '--preset <name>',
        'headers and body for a known receiver: github, gitlab, netlify, vercel, cloudflare or slack',
      ],
      ['--token <variable>', 'environment variable with the token that the preset needs'],
      ['--header <name=variable...>', 'an extra header, with its value in an environment variable'],
      ['--body <file>', 'JSON template to send instead, with placeholders such as {{post.title}}'],
    ],
  },
  {
    usage: 'list',
    help: 'list all webhooks, without their secrets',
    run: async (context) => (await import('../commands/service/webhooks.ts')).webhooksList(context),
    reads: true,
    examples: ['webhooks list'],
  },
  {
    usage: 'deliveries',
    help: 'list the newest deliveries and their attempts',
    run: async (context) =>
      (await import('../commands/service/webhooks.ts')).webhooksDeliveries(context),
    reads: true,
    examples: ['webhooks deliveries --failed'],
    options: [
      ['--failed', 'only those that failed and are retried or given up'],
      ['--limit <number>', 'how many (default 50)'],
    ],
  },
  {
    usage: 'redeliver [id]',
    help: 'resend one delivery, or all that failed since a time',
    run: async (context) =>
      (await import('../commands/service/webhooks.ts')).webhooksRedeliver(context),
    examples: ['webhooks redeliver --since 2026-01-31T00:00:00Z'],
    options: [['--since <time>', 'ISO 8601, such as 2026-01-31T00:00:00Z']],
  },
  {
    usage: 'test <id>',
    help: 'send the event webhook.test to one webhook',
    run: async (context) => (await import('../commands/service/webhooks.ts')).webhooksTest(context),
    examples: ['webhooks test 6b00f4d88df29a0456bf5bc4'],
  },
  {
    usage: 'rotate <id>',
    help: 'create a new secret; the old one stays valid for 24 hours',
    run: async (context) =>
      (await import('../commands/service/webhooks.ts')).webhooksRotate(context),
    examples: ['webhooks rotate 6b00f4d88df29a0456bf5bc4'],
  },
  {
    usage: 'delete <id>',
    help: 'delete a webhook and its deliveries at once',
    run: async (context) =>
      (await import('../commands/service/webhooks.ts')).webhooksDelete(context),
    examples: ['webhooks delete 6b00f4d88df29a0456bf5bc4'],
  },
];

const HOST_COMMANDS: readonly Spec[] = [
  {
    usage: 'list',
    help: 'list the hosts that files can be written for',
    run: async (context) => (await import('../commands/output/hosts.ts')).hostsList(context),
    examples: ['hosts list'],
  },
  {
    usage: 'remove <host>',
    help: 'remove the files that were written for a host',
    run: async (context) => (await import('../commands/output/hosts.ts')).hostsRemove(context),
    examples: ['hosts remove nginx'],
  },
  {
    usage: 'write <host>',
    help: 'write the rules or code that a host needs',
    run: async (context) => (await import('../commands/output/hosts.ts')).hostsWrite(context),
    examples: [
      'hosts write nginx',
      'hosts write cloudflare --profile packed --content-keys',
      'hosts write nginx --shield',
    ],
    options: [
      ['--to <folder>', 'write to this folder instead of the usual one'],
      ['--content-keys', 'require a content key, on hosts that run code'],
      ['--profile <name>', 'which files the host gets: literal, by-id, packed or plain-files'],
      ['--origin <host:port>', 'file server behind the cache (Varnish)'],
      ['--njs', 'nginx: answer every query with the module njs (the host nginx-njs)'],
      [
        '--shield',
        'nginx, Caddy and Apache: run in front of a Ghost and answer only /ghost/api/content/',
      ],
      ['--overwrite', 'replace its files even where somebody edited them'],
      ['--root <folder>', 'path of the output folder as the host sees it'],
    ],
  },
];

const DATABASE_COMMANDS: readonly Spec[] = [
  {
    usage: 'move <file>',
    help: 'move the publication from a SQLite file into an empty PostgreSQL database, and compare both',
    run: async (context) => (await import('../commands/service/database.ts')).databaseMove(context),
    examples: ['database move data/publication.db', 'database move --back data/publication.db'],
    options: [['--back', 'move it from PostgreSQL into a new file']],
  },
];

const EXPORT_COMMANDS: readonly Spec[] = [
  {
    usage: 'markdown <folder>',
    help: 'write published posts and pages as Markdown files with their pictures, for Git',
    run: async (context) =>
      (await import('../commands/content/export-markdown.ts')).exportMarkdown(context),
    reads: true,
    examples: ['export markdown ../archive'],
    options: [['--ungated', 'include what only members may read']],
  },
];

export const GROUPS: readonly Group[] = [
  { name: 'posts', help: 'list posts and pages', specs: POST_COMMANDS },
  { name: 'keys', help: 'list, create and revoke keys of the interface', specs: KEY_COMMANDS },
  {
    name: 'hosts',
    help: 'list hosts, and write or remove the files that they need',
    specs: HOST_COMMANDS,
  },
  { name: 'export', help: 'export content as Markdown', specs: EXPORT_COMMANDS },
  {
    name: 'database',
    help: 'move the publication between SQLite and PostgreSQL',
    specs: DATABASE_COMMANDS,
  },
  {
    name: 'webhooks',
    help: 'create, test and delete webhooks, and list their deliveries',
    specs: WEBHOOK_COMMANDS,
  },
];
