// What others take for the same record files: Eleventy by pagination, Hugo by output formats, and the naive
// script. Each gets the posts in the form that suits it; making that form is not timed.
import { mkdirSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { openBuiltTree, readPosts } from './packed-tree.ts';
import { hasProgram, type Measured, quote, run, settle, shell } from './processes.ts';

export type PeerResult = {
  readonly name: string;
  readonly files: number;
  readonly seconds: number;
  readonly peakMb: number | null;
};

type PeersInput = {
  /** Folder of a publication whose tree is built. */
  readonly built: string;
  readonly folder: string;
};

type Post = Readonly<Record<string, unknown>> & { readonly id: string; readonly slug: string };

export const measurePeers = async ({ built, folder }: PeersInput): Promise<PeerResult[]> => {
  const posts = await readAllPosts(built);
  const results = [await runEleventy(posts, join(folder, 'eleventy'))];
  if (await hasProgram('hugo')) results.push(await runHugo(posts, join(folder, 'hugo')));
  const database = join(built, 'data/publication.db');
  results.push(await runNaive(database, join(folder, 'naive')));
  return results;
};

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
  return { name, files: Number(stdout), seconds, peakMb: measured.peakMb };
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
