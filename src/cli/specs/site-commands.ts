// Commands of one word: those that work with the whole publication.
import type { Spec } from './spec.ts';

const SITE_URL = ['--site-url <url>', 'public address of the site'] as const;

const SITE_URL_ONCE = [
  '--site-url <url>',
  'public address of the site, for this run; keep it as siteUrl in prepress.config.json',
] as const;

const IMPORT_COMMANDS: readonly Spec[] = [
  {
    usage: 'redirects <file>',
    help: "import Ghost's redirects.json or redirects.yaml, replacing earlier redirects",
    run: async (context) =>
      (await import('../commands/content/import-redirects.ts')).importRedirects(context),
    examples: ['import redirects redirects.yaml'],
  },
];

const CLOCK_COMMANDS: readonly Spec[] = [
  {
    usage: 'accept',
    help: 'trust the clock, after it ran ahead at an earlier build',
    run: async (context) => (await import('../commands/service/clock.ts')).clockAccept(context),
    examples: ['clock accept'],
  },
];

export const COMMANDS: readonly Spec[] = [
  {
    usage: 'init [folder]',
    help: 'create the database with a sample publication; with a folder, a new project',
    run: async (context) => (await import('../commands/content/init.ts')).init(context),
    examples: ['init', 'init --empty'],
    options: [['--empty', 'without the sample'], SITE_URL],
  },
  {
    usage: 'build',
    help: 'update the output',
    run: async (context) => (await import('../commands/output/build.ts')).build(context),
    examples: ['build', 'build --full', 'build --site-url https://example.com'],
    options: [
      ['--full', 'compare every file and rewrite what differs'],
      ['--forget', 'remove files of earlier generations at once'],
      ['--strict', 'fail when a row cannot be rendered, and leave the output unchanged'],
      SITE_URL_ONCE,
    ],
  },
  {
    usage: 'serve',
    help: 'run the companion server and the publisher',
    run: async (context) => (await import('../commands/service/serve.ts')).serve(context),
    examples: ['serve', 'serve --port 8080', 'serve --follow /var/www/ghost/content/data/ghost.db'],
    options: [
      ['--host <address>', 'address to listen on'],
      ['--port <number>', 'port to listen on'],
      ['--follow <source>', 'keep importing the content of a Ghost database'],
      ['--images <from>', 'also import images from a content folder or a site (https://...)'],
      ['--dev', 'allow webhooks to this machine'],
      ['--verbose', 'log each request on a terminal'],
      ['--sample', 'create a sample publication if there is no database'],
      SITE_URL_ONCE,
    ],
  },
  {
    usage: 'watch',
    help: 'run the publisher without a server',
    run: async (context) => (await import('../commands/output/watch.ts')).watch(context),
    examples: ['watch'],
    options: [SITE_URL_ONCE],
  },
  {
    usage: 'import [source]',
    help: 'import a Ghost export, database (mysql://..., or a file) or address (https://...), a members CSV, or images',
    run: async (context) => (await import('../commands/content/import.ts')).importFrom(context),
    inner: IMPORT_COMMANDS,
    examples: [
      'import mysql://ghost:password@127.0.0.1/ghost --site-url https://example.com',
      'import my-site.json',
      'import members.csv',
      'import readers.csv --column "Score=ignore" --column "Gets mail=subscribed_to_emails"',
      'import --images https://example.com',
    ],
    options: [
      SITE_URL,
      [
        '--key <key>',
        'Content API key of the site; PREPRESS_SOURCE_KEY keeps it out of the process list',
      ],
      [
        '--images <from>',
        'copy images from a content folder, or fetch them from a site (https://...)',
      ],
      [
        '--replace',
        'let a members CSV overwrite known values, even with empty cells, and let a source resubscribe members who left here',
      ],
      [
        '--column <name=meaning...>',
        'meaning of a column of a members CSV: a column of Ghost, "unsubscribed", "status" or "ignore"',
      ],
      ['--yes', 'overwrite without first listing what members would lose'],
      ['--accept', 'stop reporting the rows that the last import could not read'],
    ],
  },
  {
    usage: 'follow [source]',
    help: "import a Ghost database's content, build, and repeat whenever it changes",
    run: async (context) => (await import('../commands/output/follow.ts')).follow(context),
    examples: [
      'follow mysql://ghost:password@127.0.0.1/ghost --once --site-url https://example.com',
      'follow --detach',
    ],
    options: [
      SITE_URL,
      ['--images <from>', 'also import images from a content folder or a site (https://...)'],
      ['--once', 'check once, build and exit'],
      ['--compare', 'read every row, even if its time of change is the same, and exit'],
      ['--detach', 'stop following, so that you can edit the content here'],
    ],
  },
  {
    usage: 'publish <slug>',
    help: 'publish a post or page',
    run: async (context) => (await import('../commands/content/publish.ts')).publish(context),
    examples: ['publish the-foghorn-tuner'],
  },
  {
    usage: 'unpublish <slug>',
    help: 'make a post or page a draft again',
    run: async (context) => (await import('../commands/content/publish.ts')).unpublish(context),
    examples: ['unpublish the-foghorn-tuner'],
  },
  {
    usage: 'preview [post]',
    help: 'print a link to a post or page of any status; the link expires',
    run: async (context) => (await import('../commands/content/preview.ts')).preview(context),
    examples: [
      'preview the-foghorn-tuner',
      'preview the-foghorn-tuner --hours 24 --ungated',
      'preview --revoke',
    ],
    options: [
      ['--hours <number>', 'hours until it expires (default 1)'],
      ['--ungated', 'include what only members may read'],
      ['--revoke', 'revoke all links that were made so far'],
    ],
  },
  {
    usage: 'status',
    help: 'show the last build, what waits, and problems',
    run: async (context) => (await import('../commands/service/status.ts')).status(context),
    reads: true,
    examples: ['status', 'status --secrets'],
    options: [['--secrets', 'include the keys and the address of the build hook']],
  },
  {
    usage: 'verify',
    help: 'check the output against the manifest and the database',
    run: async (context) => (await import('../commands/output/verify.ts')).verify(context),
    reads: true,
    examples: ['verify', 'verify --compare'],
    options: [
      ['--compare', 'render every row again and compare; this finds edits that were not logged'],
      SITE_URL_ONCE,
    ],
  },
  {
    usage: 'clock',
    help: 'compare the clock with the latest build; scheduled posts wait while it is behind',
    run: async (context) => (await import('../commands/service/clock.ts')).clock(context),
    reads: true,
    examples: ['clock'],
    inner: CLOCK_COMMANDS,
  },
  {
    usage: 'deploy [target]',
    help: 'deploy the output to dir:/path, s3://bucket/prefix or exec:COMMAND (default: the setting deploy)',
    run: async (context) => (await import('../commands/output/deploy.ts')).deployTo(context),
    reads: true,
    examples: [
      'deploy',
      'deploy dir:/srv/www',
      'deploy s3://bucket/site --region eu-central-1 --invalidate E1ABC',
    ],
    options: [
      ['--endpoint <url>', 'endpoint of an S3-compatible store other than Amazon'],
      ['--region <name>', 'region of the bucket'],
      ['--invalidate <id>', 'CloudFront distribution to invalidate'],
    ],
  },
  {
    usage: 'backup <to>',
    help: 'copy the database and the pictures to a file or into a folder, even while they are in use',
    run: async (context) => (await import('../commands/service/backup.ts')).backup(context),
    reads: true,
    examples: ['backup /backups --dated', 'backup /backups --replace'],
    options: [
      ['--dated', 'add the date to the name'],
      ['--replace', 'replace an earlier backup of that name'],
    ],
  },
];
