// Commands of one word: those that work with the whole publication.
import type { Spec } from './spec.ts';

const SITE_URL = ['--site-url <url>', 'public address of the site'] as const;

const CLOCK_COMMANDS: readonly Spec[] = [
  {
    usage: 'accept',
    help: 'take the clock for right, because it ran ahead at an earlier build',
    run: async (context) => (await import('../commands/clock.ts')).clockAccept(context),
    examples: ['clock accept'],
  },
];

export const COMMANDS: readonly Spec[] = [
  {
    usage: 'init [folder]',
    help: 'make the database, with a sample publication; with a folder, a new project',
    run: async (context) => (await import('../commands/init.ts')).init(context),
    examples: ['init', 'init --empty'],
    options: [['--empty', 'without the sample'], SITE_URL],
  },
  {
    usage: 'build',
    help: 'bring the output up to date',
    run: async (context) => (await import('../commands/build.ts')).build(context),
    examples: ['build', 'build --full', 'build --site-url https://example.com'],
    options: [
      ['--full', 'write everything that differs, whatever was built before'],
      ['--forget', 'remove the files of earlier generations that are kept for readers under way'],
      ['--strict', 'fail when a row cannot be rendered, and leave the output as it is'],
      SITE_URL,
    ],
  },
  {
    usage: 'serve',
    help: 'companion server, publisher and preview of the content',
    run: async (context) => (await import('../commands/serve.ts')).serve(context),
    examples: ['serve', 'serve --port 8080', 'serve --follow /var/www/ghost/content/data/ghost.db'],
    options: [
      ['--host <address>', 'address to listen on'],
      ['--port <number>', 'port to listen on'],
      ['--follow <source>', 'take over the content of a Ghost database again and again'],
      ['--images <from>', 'with its images: a content folder, or the site (https://...)'],
      ['--dev', 'let webhooks reach this machine'],
      ['--verbose', 'show each request in the log on a terminal'],
      ['--sample', 'make the database with a sample publication when it is absent'],
      SITE_URL,
    ],
  },
  {
    usage: 'watch',
    help: 'publisher without the server',
    run: async (context) => (await import('../commands/watch.ts')).watch(context),
    examples: ['watch'],
    options: [SITE_URL],
  },
  {
    usage: 'import [source]',
    help: "import a site: Ghost's export, database (mysql://..., or a file), address (https://...) or members CSV, or images",
    run: async (context) => (await import('../commands/import.ts')).importFrom(context),
    examples: [
      'import mysql://ghost:password@127.0.0.1/ghost --site-url https://example.com',
      'import my-site.json',
      'import members.csv',
      'import readers.csv --column "Score=ignore" --column "Gets mail=subscribed_to_emails"',
      'import --images https://example.com',
    ],
    options: [
      SITE_URL,
      ['--key <key>', 'Content API key of an address; PREPRESS_SOURCE_KEY shows it to nobody else'],
      [
        '--images <from>',
        'keep the images of that content folder, or fetch them from that site (https://...)',
      ],
      [
        '--replace',
        'let a members CSV replace what is known, also by empty cells, and a source subscribe who left here',
      ],
      [
        '--column <name=meaning...>',
        'what a column of a members CSV is: one of Ghost\'s, "unsubscribed", "status" or "ignore"',
      ],
      ['--yes', 'replace without saying first what members would lose'],
      ['--accept', 'go without the rows that the last import could not read: name them no more'],
    ],
  },
  {
    usage: 'follow [source]',
    help: "take over a Ghost database's content, build, and go on doing so when it changes",
    run: async (context) => (await import('../commands/follow.ts')).follow(context),
    examples: [
      'follow mysql://ghost:password@127.0.0.1/ghost --once --site-url https://example.com',
      'follow --detach',
    ],
    options: [
      SITE_URL,
      ['--images <from>', 'with its images: a content folder, or the site (https://...)'],
      ['--once', 'look, build and end'],
      ['--compare', 'read every row, whatever its time of change says, and end'],
      ['--detach', 'end following, so that the content may be edited here'],
    ],
  },
  {
    usage: 'publish <slug>',
    help: 'publish a post or page',
    run: async (context) => (await import('../commands/publish.ts')).publish(context),
    examples: ['publish the-foghorn-tuner'],
  },
  {
    usage: 'unpublish <slug>',
    help: 'make a post or page a draft again',
    run: async (context) => (await import('../commands/publish.ts')).unpublish(context),
    examples: ['unpublish the-foghorn-tuner'],
  },
  {
    usage: 'preview [post]',
    help: 'print a link, which ends, to a post or page of any status, by its slug or id',
    run: async (context) => (await import('../commands/preview.ts')).preview(context),
    examples: [
      'preview the-foghorn-tuner',
      'preview the-foghorn-tuner --hours 24 --ungated',
      'preview --revoke',
    ],
    options: [
      ['--hours <number>', 'how long it works (default 1)'],
      ['--ungated', 'with the part that only members may read'],
      ['--revoke', 'end all links that were made so far'],
    ],
  },
  {
    usage: 'status',
    help: 'state, position, last build and what waits',
    run: async (context) => (await import('../commands/status.ts')).status(context),
    reads: true,
    examples: ['status', 'status --secrets'],
    options: [['--secrets', 'with the keys and the address of the build hook']],
  },
  {
    usage: 'verify',
    help: 'check the output against manifest and database',
    run: async (context) => (await import('../commands/verify.ts')).verify(context),
    reads: true,
    examples: ['verify', 'verify --compare'],
    options: [
      ['--compare', 'render every row again and compare, which finds unlogged edits'],
      SITE_URL,
    ],
  },
  {
    usage: 'clock',
    help: 'compare the clock with the latest build; while it is behind, scheduled posts wait',
    run: async (context) => (await import('../commands/clock.ts')).clock(context),
    reads: true,
    examples: ['clock'],
    inner: CLOCK_COMMANDS,
  },
  {
    usage: 'deploy [target]',
    help: 'deploy the output to dir:/path, s3://bucket/prefix or exec:COMMAND; without one, to those of the setting deploy',
    run: async (context) => (await import('../commands/deploy.ts')).deployTo(context),
    reads: true,
    examples: [
      'deploy',
      'deploy dir:/srv/www',
      'deploy s3://bucket/site --region eu-central-1 --invalidate E1ABC',
    ],
    options: [
      ['--endpoint <url>', 'S3-compatible store that is not Amazon'],
      ['--region <name>', 'region of the bucket'],
      ['--invalidate <id>', 'CloudFront distribution that is to forget what changed'],
    ],
  },
  {
    usage: 'backup <to>',
    help: 'copy the database and the pictures, while they are in use, to a file or into a folder',
    run: async (context) => (await import('../commands/backup.ts')).backup(context),
    reads: true,
    examples: ['backup /backups --dated', 'backup /backups --replace'],
    options: [
      ['--dated', 'add the date to the name'],
      ['--replace', 'replace an earlier copy of that name, whole'],
    ],
  },
];
