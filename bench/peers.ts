// README's table: Prepress beside others, all of one run. Eleventy by pagination, Hugo by output formats, and the naive script
// make the same record files, each from the posts in the form that suits it; making that form is not timed. They make all
// files again for one post more. Ghost makes no files: it answers.
import { mkdirSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { type BuildResult, buildOnce } from './builds.ts';
import { measureEdits } from './edits.ts';
import { HOW_TO_START_GHOST, startGhost } from './ghost-server.ts';
import { end, startServer } from './live-server.ts';
import { openBuiltTree, readPosts } from './packed-tree.ts';
import {
  findResidentMb,
  hasProgram,
  type Measured,
  quote,
  run,
  settle,
  shell,
} from './processes.ts';
import { middleOf } from './publishes.ts';
import { createLoad, startNginx, startNginxCache } from './serving.ts';
import { listIds } from './start-readers.ts';

export type PeerResult = {
  readonly name: string;
  /** Null: it makes none. */
  readonly made: {
    readonly files: number;
    readonly seconds: number;
    readonly peakMb: number | null;
    /** Of one post more. */
    readonly moreSeconds: number;
  } | null;
  /** Null: it answers no requests, or wrk is not installed. */
  readonly answers: { readonly perSecond: number; readonly residentMb: number | null } | null;
};

type PeersInput = {
  readonly build: BuildResult;
  readonly folder: string;
  /** Starts Ghost; absent: it is left out. */
  readonly ghost: string | undefined;
};

export const measurePeers = async ({ build, folder, ghost }: PeersInput): Promise<PeerResult[]> => {
  mkdirSync(folder, { recursive: true });
  const { built, database } = build;
  const posts = await readAllPosts(built);
  const results = await measureOwn(build, folder);
  results.push(await runEleventy(posts, join(folder, 'eleventy')));
  if (await hasProgram('hugo')) results.push(await runHugo(posts, join(folder, 'hugo')));
  results.push(await runNaive(database, join(folder, 'naive')));
  if (ghost === undefined) process.stderr.write(`${HOW_TO_START_GHOST}\n`);
  else results.push(...(await askGhost(ghost, folder, build)));
  return results;
};

const PUBLISHES = 5;
const PUBLISH = ['nothing', ...new Array<string>(PUBLISHES).fill('publish')];

/** Its publishes and its answers are of a tree of its own, with the default settings. */
const measureOwn = async (
  { database, facts }: BuildResult,
  folder: string,
): Promise<PeerResult[]> => {
  const place = join(folder, 'prepress');
  const { seconds, peakMb } = await buildOnce(database, place);
  const { cycles } = await measureEdits({ place, folder, scenarios: PUBLISH });
  const moreSeconds = middleOf(cycles.slice(1), ({ milliseconds }) => milliseconds) / 1000;
  const made = { files: facts.files.length, seconds, peakMb, moreSeconds };
  const server = await startServer(place);
  const { contentKey } = server;
  const after = `/?include=authors,tags&key=${contentKey}`;
  const answers = await askAll(
    { folder, ids: listIds(place), path: ['/content/posts/', after] },
    server,
  );
  await end(server.child);
  const own: PeerResult[] = [{ name: 'Prepress', made, answers }];
  if (!(await hasProgram('nginx'))) return own;
  const nginx = await startNginx(place, join(folder, 'nginx'));
  const asked = {
    folder,
    ids: listIds(place),
    path: ['/content/posts/', '/?include=authors,tags'],
  } as const;
  const byNginx = await askAll(asked, nginx);
  // Its processes share most of their memory.
  const answered = byNginx && { ...byNginx, residentMb: null };
  own.push({ name: 'Prepress, files by nginx', made: null, answers: answered });
  await end(nginx.child);
  return own;
};

type Asked = {
  readonly folder: string;
  readonly ids: readonly string[];
  readonly path: readonly [before: string, after: string];
};

type Answering = { readonly url: string; readonly child: { readonly pid?: number | undefined } };

/** The second of two loads. */
const askAll = async (
  { folder, ...asked }: Asked,
  { url, child }: Answering,
): Promise<PeerResult['answers']> => {
  if (!(await hasProgram('wrk'))) return null;
  const load = createLoad(folder, { name: 'peer', ...asked });
  await load(url);
  const { perSecond, errors } = await load(url);
  if (errors > 0) throw new Error(`${url} answered ${errors} requests with errors.`);
  return { perSecond, residentMb: findResidentMb(child.pid) };
};

const askGhost = async (
  command: string,
  folder: string,
  { database, built }: BuildResult,
): Promise<PeerResult[]> => {
  const ghost = await startGhost(command, join(folder, 'ghost'), database);
  try {
    const after = `/?include=authors,tags&key=${ghost.contentKey}`;
    const asked = {
      folder,
      ids: listIds(built),
      path: ['/ghost/api/content/posts/', after],
    } as const;
    const own = { name: 'Ghost', made: null, answers: await askAll(asked, ghost) };
    if (!(await hasProgram('nginx'))) return [own];
    const cache = await startNginxCache(ghost.url, join(folder, 'cache'));
    const answers = await askAll(asked, cache);
    await end(cache.child);
    const kept = answers && { ...answers, residentMb: null };
    return [own, { name: 'Ghost, kept by nginx', made: null, answers: kept }];
  } finally {
    await end(ghost.child);
  }
};

type Post = Readonly<Record<string, unknown>> & { readonly id: string; readonly slug: string };

const readAllPosts = async (built: string): Promise<Post[]> => {
  const { store, root } = openBuiltTree(built);
  const posts: Post[] = [];
  for (let page = 1; posts.length < root.posts.total; page += 1) {
    posts.push(...(await readPosts<Post>(store, `include=authors,tags&page=${page}`)));
  }
  return posts;
};

/** The run, made durable, and the files that it left in `output`. */
const finish = async (
  name: string,
  output: string,
  start: () => Promise<Measured>,
): Promise<PeerResult> => {
  mkdirSync(output, { recursive: true });
  await settle(output);
  const measured = await start();
  const synced = await shell(`sync -f ${quote(output)}`);
  const { stdout } = await shell(`find ${quote(output)} -type f | wc -l`);
  const seconds = measured.seconds + synced.seconds;
  const { peakMb } = measured;
  return {
    name,
    made: { files: Number(stdout), seconds, peakMb, moreSeconds: seconds },
    answers: null,
  };
};

const ELEVENTY_TEMPLATE = `
const without = ({ authors, primary_author, tags, primary_tag, ...post }) => post;
const VARIANTS = {
  index: without,
  authors: ({ tags, primary_tag, ...post }) => post,
  tags: ({ authors, primary_author, ...post }) => post,
  'authors-tags': (post) => post,
};
export const data = {
  pagination: {
    data: 'posts',
    size: 1,
    alias: 'file',
    before: (posts) =>
      posts.flatMap((post) =>
        [post.id, 'slug/' + post.slug].flatMap((folder) =>
          Object.keys(VARIANTS).map((variant) => ({ post, folder, variant })),
        ),
      ),
  },
  permalink: ({ file }) => 'posts/' + file.folder + '/' + file.variant + '.json',
};
export const render = ({ file }) => JSON.stringify({ posts: [VARIANTS[file.variant](file.post)] });
`;

const runEleventy = (posts: readonly Post[], folder: string): Promise<PeerResult> => {
  mkdirSync(join(folder, 'content/_data'), { recursive: true });
  writeFileSync(join(folder, 'content/_data/posts.json'), JSON.stringify(posts));
  writeFileSync(join(folder, 'content/posts.11ty.js'), ELEVENTY_TEMPLATE);
  writeFileSync(join(folder, 'package.json'), '{"type":"module"}');
  symlinkSync(join(process.cwd(), 'node_modules'), join(folder, 'node_modules'));
  const command = join(process.cwd(), 'node_modules/@11ty/eleventy/cmd.cjs');
  const args = [command, '--quiet', '--input=content', '--output=output'];
  return finish('Eleventy', join(folder, 'output'), () =>
    run(process.execPath, args, { cwd: folder }),
  );
};

const HUGO_VARIANTS: Readonly<Record<string, string>> = {
  index: '.Params.post',
  authors: 'merge .Params.post .Params.withauthors',
  tags: 'merge .Params.post .Params.withtags',
  'authors-tags': 'merge .Params.post .Params.withauthors .Params.withtags',
};

const runHugo = (posts: readonly Post[], folder: string): Promise<PeerResult> => {
  for (const name of ['content/id', 'content/slug', 'layouts/_default']) {
    mkdirSync(join(folder, name), { recursive: true });
  }
  const names = Object.keys(HUGO_VARIANTS);
  const formatOf = (name: string): string => `json${name.replace('-', '')}`;
  const outputFormats = Object.fromEntries(
    names.map((name) => [
      formatOf(name),
      { mediaType: 'application/json', baseName: name, isPlainText: true },
    ]),
  );
  const disableKinds = ['home', 'section', 'taxonomy', 'term', 'RSS', 'sitemap', '404'];
  const config = { baseURL: 'https://x.example/', disableKinds, outputFormats };
  const outputs = { page: names.map(formatOf) };
  writeFileSync(join(folder, 'config.json'), JSON.stringify({ ...config, outputs }));
  for (const [name, value] of Object.entries(HUGO_VARIANTS)) {
    const file = join(folder, `layouts/_default/single.${formatOf(name)}.json`);
    writeFileSync(file, `{"posts":[{{ ${value} | jsonify }}]}`);
  }
  for (const { authors, primary_author, tags, primary_tag, ...post } of posts) {
    const page = {
      title: post.id,
      post,
      withauthors: { authors, primary_author },
      withtags: { tags, primary_tag },
    };
    const write = (kind: string, url: string): void =>
      writeFileSync(
        join(folder, `content/${kind}/${post.id}.md`),
        JSON.stringify({ ...page, url }),
      );
    write('id', `/posts/${post.id}/`);
    write('slug', `/posts/slug/${post.slug}/`);
  }
  return finish('Hugo', join(folder, 'public'), () => run('hugo', ['--quiet'], { cwd: folder }));
};

const runNaive = (database: string, folder: string): Promise<PeerResult> =>
  finish('naive script', folder, () =>
    run(process.execPath, [join(import.meta.dirname, 'naive.js'), database, folder]),
  );
