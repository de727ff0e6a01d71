// The command line: names of commands and their options. Each command's work is in commands/.
import { Command, CommanderError } from 'commander';
import packageFacts from '../../package.json' with { type: 'json' };
import { toPrintableLines } from '../base/printable.ts';
import { action, type Run, withGlobalOptions } from './command.ts';

/** Node.js's own code for a program that waits for what cannot come any more. */
const UNSETTLED = 13;

// A command is loaded when it is run: `status` need not wait for the server's libraries.
type Spec = {
  readonly usage: string;
  readonly help: string;
  readonly run: Run;
  /** Commands of its own. */
  readonly inner?: readonly Spec[];
  readonly options?: readonly (readonly [string, string])[];
  readonly required?: readonly (readonly [string, string])[];
};

const add = (parent: Command, spec: Spec): void => {
  const { usage, help, run, inner = [], options = [], required = [] } = spec;
  const command = withGlobalOptions(parent.command(usage).description(help));
  // Options after a command of its own are that one's.
  command.enablePositionalOptions(inner.length > 0);
  for (const [flags, description] of options) command.option(flags, description);
  for (const [flags, description] of required) command.requiredOption(flags, description);
  for (const one of inner) add(command, one);
  command.action(action(run));
};

const SITE_URL = ['--site-url <url>', 'public address of the site'] as const;

const QUERY_COMMANDS: readonly Spec[] = [
  {
    usage: 'adopt',
    help: 'declare what was asked, in the settings file, and say what it costs',
    run: async (context) => (await import('./commands/queries.ts')).queriesAdopt(context),
    options: [
      ['--at-least <count>', 'only what was asked as often'],
      ['--dry-run', 'say the cost, and write nothing'],
    ],
  },
];

const COMMANDS: readonly Spec[] = [
  {
    usage: 'init',
    help: 'make the database, with a sample publication',
    run: async (context) => (await import('./commands/init.ts')).init(context),
    options: [['--empty', 'without the sample'], SITE_URL],
  },
  {
    usage: 'build',
    help: 'bring the output up to date',
    run: async (context) => (await import('./commands/build.ts')).build(context),
    options: [
      ['--full', 'write everything that differs, whatever was built before'],
      ['--strict', 'fail when a row cannot be rendered, and leave the output as it is'],
      SITE_URL,
    ],
  },
  {
    usage: 'serve',
    help: 'companion server, publisher and preview of the content',
    run: async (context) => (await import('./commands/serve.ts')).serve(context),
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
    run: async (context) => (await import('./commands/serve.ts')).watch(context),
    options: [SITE_URL],
  },
  {
    usage: 'import [source]',
    help: "import a site: Ghost's export, database (a file, or mysql://...), address (https://...) or members CSV, or images",
    run: async (context) => (await import('./commands/import.ts')).importFrom(context),
    options: [
      SITE_URL,
      ['--key <key>', 'Content API key of an address; PREPRESS_SOURCE_KEY shows it to nobody else'],
      [
        '--images <from>',
        'keep the images of that content folder, or fetch them from that site (https://...)',
      ],
    ],
  },
  {
    usage: 'follow [source]',
    help: "take over a Ghost database's content, build, and go on doing so when it changes",
    run: async (context) => (await import('./commands/follow.ts')).follow(context),
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
    run: async (context) => (await import('./commands/publish.ts')).publish(context),
  },
  {
    usage: 'unpublish <slug>',
    help: 'make a post or page a draft again',
    run: async (context) => (await import('./commands/publish.ts')).unpublish(context),
  },
  {
    usage: 'status',
    help: 'state, position, last build and what waits',
    run: async (context) => (await import('./commands/status.ts')).status(context),
    options: [['--secrets', 'with the keys and the address of the build hook']],
  },
  {
    usage: 'verify',
    help: 'check the output against manifest and database',
    run: async (context) => (await import('./commands/verify.ts')).verify(context),
    options: [
      ['--compare', 'render every row again and compare, which finds unlogged edits'],
      SITE_URL,
    ],
  },
  {
    usage: 'queries',
    help: 'what clients asked the companion server for, and how often',
    run: async (context) => (await import('./commands/queries.ts')).queries(context),
    inner: QUERY_COMMANDS,
  },
  {
    usage: 'deploy [target]',
    help: 'carry the output to dir:/path, s3://bucket/prefix or exec:COMMAND; without one, to those of the setting deploy',
    run: async (context) => (await import('./commands/deploy.ts')).deployTo(context),
    options: [
      ['--endpoint <url>', 'S3-compatible store that is not Amazon'],
      ['--region <name>', 'region of the bucket'],
      ['--invalidate <id>', 'CloudFront distribution that is to forget what changed'],
    ],
  },
  {
    usage: 'backup <to>',
    help: 'copy the database and the pictures, while they are in use, to a file or into a folder',
    run: async (context) => (await import('./commands/backup.ts')).backup(context),
    options: [
      ['--dated', 'add the date to the name'],
      ['--replace', 'replace an earlier copy of that name, whole'],
    ],
  },
];

const POST_COMMANDS: readonly Spec[] = [
  {
    usage: 'list',
    help: 'posts and pages of any status',
    run: async (context) => (await import('./commands/posts.ts')).postsList(context),
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
    help: 'all keys, without their secrets',
    run: async (context) => (await import('./commands/keys.ts')).keysList(context),
  },
  {
    usage: 'create',
    help: 'make a key and show its secret once',
    run: async (context) => (await import('./commands/keys.ts')).keysCreate(context),
    required: [
      ['--type <type>', 'content, admin or hook'],
      ['--name <name>', 'what it is for'],
    ],
    options: [['--owner', 'an admin key that may change what belongs to other keys']],
  },
  {
    usage: 'revoke <id>',
    help: 'refuse a key from now on',
    run: async (context) => (await import('./commands/keys.ts')).keysRevoke(context),
  },
];

const WEBHOOK_COMMANDS: readonly Spec[] = [
  {
    usage: 'create',
    help: 'make a webhook and show its secret once',
    run: async (context) => (await import('./commands/webhooks.ts')).webhooksCreate(context),
    required: [
      ['--event <event>', 'such as post.published or site.changed'],
      ['--url <url>', 'where to send it'],
    ],
    options: [['--name <name>', 'what it is for']],
  },
  {
    usage: 'list',
    help: 'all webhooks, without their secrets',
    run: async (context) => (await import('./commands/webhooks.ts')).webhooksList(context),
  },
  {
    usage: 'deliveries',
    help: 'the newest deliveries and their attempts',
    run: async (context) => (await import('./commands/webhooks.ts')).webhooksDeliveries(context),
    options: [
      ['--failed', 'only those that failed'],
      ['--limit <number>', 'how many (default 50)'],
    ],
  },
  {
    usage: 'redeliver [id]',
    help: 'send a delivery again, or all that failed since a time',
    run: async (context) => (await import('./commands/webhooks.ts')).webhooksRedeliver(context),
    options: [['--since <time>', 'ISO 8601, such as 2026-01-31T00:00:00Z']],
  },
  {
    usage: 'test <id>',
    help: 'send webhook.test to one webhook',
    run: async (context) => (await import('./commands/webhooks.ts')).webhooksTest(context),
  },
  {
    usage: 'rotate <id>',
    help: 'make a new secret; the old one lives 24 h',
    run: async (context) => (await import('./commands/webhooks.ts')).webhooksRotate(context),
  },
];

const HOST_COMMANDS: readonly Spec[] = [
  {
    usage: 'list',
    help: 'hosts that files can be written for',
    run: async (context) => (await import('./commands/hosts.ts')).hostsList(context),
  },
  {
    usage: 'remove <host>',
    help: 'take back what was written for a host',
    run: async (context) => (await import('./commands/hosts.ts')).hostsRemove(context),
  },
  {
    usage: 'write <host>',
    help: 'write the file that makes every address work on a host',
    run: async (context) => (await import('./commands/hosts.ts')).hostsWrite(context),
    options: [
      ['--to <folder>', 'write there instead of the place that the host reads'],
      ['--content-keys', 'ask for the content key, where the host runs code'],
      ['--profile <name>', 'literal, by-id, packed or dumb, where the host can serve it'],
      ['--origin <host:port>', 'server of the files, for a cache in front of it'],
      ['--njs', 'nginx: answer every query with its module njs (the host nginx-njs)'],
      ['--root <folder>', 'folder of the output as the host sees it, for rules that name it'],
    ],
  },
];

const createProgram = (): Command => {
  const program = new Command('prepress')
    .description('Your publishing database as static JSON, kept true after every edit.')
    .version(packageFacts.version)
    .exitOverride()
    .enablePositionalOptions()
    // What is quoted of the command line may hold what a terminal obeys.
    .configureOutput({ writeErr: (text) => void process.stderr.write(toPrintableLines(text)) });
  for (const spec of COMMANDS) add(program, spec);
  const posts = program.command('posts').description('posts and pages');
  for (const spec of POST_COMMANDS) add(posts, spec);
  const keys = program.command('keys').description('keys of the interface');
  for (const spec of KEY_COMMANDS) add(keys, spec);
  const hosts = program.command('hosts').description('hosts that serve the output');
  for (const spec of HOST_COMMANDS) add(hosts, spec);
  const webhooks = program.command('webhooks').description('webhooks and their deliveries');
  for (const spec of WEBHOOK_COMMANDS) add(webhooks, spec);
  return program;
};

// A reader that has seen enough, a full disk or a lost terminal ends the output and not the work. What a
// command could not print, its report tells.
for (const stream of [process.stdout, process.stderr]) stream.on('error', () => undefined);

// When nothing is left to be waited for, the process ends at once: to take down the memory of a build piece by piece
// takes up to a tenth of a second. A command that has not set its code by then never came to its end.
process.once('beforeExit', () => process.exit(process.exitCode ?? UNSETTLED));

try {
  await createProgram().parseAsync();
} catch (error) {
  if (!(error instanceof CommanderError)) throw error;
  process.exitCode = error.exitCode === 0 ? 0 : 2;
}
