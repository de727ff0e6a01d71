// Every address of a picture that documents, pages and feeds name has a picture of the right type, and a size its width: on the
// companion server, on nginx, and in a folder without rules. The site is a captured Ghost, imported with originals alone.
import { mkdirSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import sharp from 'sharp';
import { describe, expect, onTestFinished, test } from 'vitest';
import { sizeOf } from '../../src/content/paths/files.ts';
import { HTTP_FILE, SERVER_FILE } from '../../src/publish/hosts/nginx/files.ts';
import { eventually } from '../helpers/eventually.ts';
import { skipFormats } from '../helpers/format-thread.ts';
import { putPicture, skipSizes } from '../helpers/pictures.ts';
import { prepress } from '../helpers/run-prepress.ts';
import { CONTENT, type Serving, startServing } from '../helpers/serve.ts';
import { temporaryFolder } from '../helpers/temporary-folder.ts';
import { lexicalOf } from '../unit/serve/editor/documents.ts';
import { askAt } from './ask.ts';
import { NGINX_INSTALL, startNginx } from './nginx-process.ts';
import { missing } from './program.ts';

const EXPORT = join(import.meta.dirname, '../fixtures/ghost-small/ghost-export.json');
const SITE = 'https://news.example';
const WIDTH = 1_200;
const ICON_WIDTH = 512;

type Answer = { readonly status: number; readonly type: string | undefined; readonly body: Buffer };
type Host = { readonly name: string; readonly ask: (path: string) => Promise<Answer> };

const namesIn = (text: string): string[] =>
  [
    ...text.matchAll(
      /(?:https:\/\/news\.example|(?<=["' (,=]))\/content\/(images\/[^"'\\ )<&?,]+)/g,
    ),
  ].map(([, path = '']) => path);

/** Paths below content/ of all pictures that the output names. */
const listNamed = (folder: string): string[] => {
  const texts = readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter(({ name }) => /\.(?:json|html|xml)$/.test(name))
    .map((entry) => readFileSync(join(entry.parentPath, entry.name), 'utf8'));
  return [...new Set(texts.flatMap(namesIn))].sort();
};

const TYPES: Readonly<Record<string, string>> = { '.html': 'text/html', '.png': 'image/png' };

const folderHost = (folder: string): Host => ({
  name: 'a folder',
  ask: async (path) => {
    const file = join(folder, CONTENT, decodeURIComponent(path));
    const isThere = statSync(file, { throwIfNoEntry: false })?.isFile() === true;
    const type = TYPES[path.slice(path.lastIndexOf('.'))];
    return { status: isThere ? 200 : 404, type, body: isThere ? readFileSync(file) : Buffer.of() };
  },
});

const portHost = (name: string, port: number): Host => ({
  name,
  ask: async (path) => {
    const { status, headers, body } = await askAt(port)({ path: `/content/${path}` });
    return { status, type: headers['content-type'] as string | undefined, body };
  },
});

const startNginxAt = async (folder: string): Promise<Host> => {
  await prepress(folder, ['hosts', 'write', 'nginx', '--to', 'rules']);
  const [http, server] = [HTTP_FILE, SERVER_FILE].map(
    (name) => `include ${join(folder, 'rules', name)};`,
  ) as [string, string];
  const nginx = await startNginx({ folder: join(folder, 'nginx'), http, server });
  onTestFinished(nginx.end);
  return portHost('nginx', nginx.port);
};

/** What is wrong, a line each. */
const check = async (host: Host, paths: readonly string[], areMade: boolean): Promise<string[]> => {
  const wrong = paths.map(async (path) => {
    const { status, type, body } = await host.ask(path);
    const width = status === 200 ? (await sharp(body).metadata()).width : null;
    const original = path.endsWith('icon.png') ? ICON_WIDTH : WIDTH;
    const asked = areMade ? Number(/^w(\d+)/.exec(sizeOf(path) ?? '')?.[1] ?? original) : original;
    const found = [status, type, areMade ? width : original].join(' ');
    const expected = [200, 'image/png', Math.min(asked, original)].join(' ');
    return found === expected ? [] : [`${host.name} ${path}: ${found}, not ${expected}`];
  });
  return (await Promise.all(wrong)).flat();
};

const putPictures = async (folder: string): Promise<void> => {
  const named = new Set(namesIn(readFileSync(EXPORT, 'utf8').replaceAll('__GHOST_URL__', SITE)));
  for (const path of named) {
    const side = path.endsWith('icon.png') ? ICON_WIDTH : WIDTH;
    await putPicture(join(folder, path), side, side / 2);
  }
  await putPicture(join(folder, 'images/icon.png'), ICON_WIDTH, ICON_WIDTH);
};

const waiting = async ({ folder }: Serving): Promise<{ waiting: number; made: number }> =>
  JSON.parse(await prepress(folder, ['status', '--json'])).picture_sizes;

const reason = missing('nginx', NGINX_INSTALL);
const skipped = skipSizes || skipFormats || reason;

describe.skipIf(skipped)(`pictures ${skipped || ''}`, () => {
  test('every address has its picture, before its size is made and after', async () => {
    const folder = temporaryFolder();
    mkdirSync(join(folder, 'ghost'));
    await putPictures(join(folder, 'ghost'));
    const config = { siteUrl: SITE, site: true };
    writeFileSync(join(folder, 'prepress.config.json'), JSON.stringify(config));
    await prepress(folder, ['import', EXPORT, '--images', 'ghost']);
    const serving = await startServing(folder);
    onTestFinished(async () => void (await serving.end()));
    const image = { type: 'image', version: 1, src: `${SITE}/content/images/a.png` };
    const post = { title: 'Sized', status: 'published', lexical: lexicalOf(image) };
    const feature = { feature_image: `${SITE}/content/images/f.png` };
    await serving.admin('POST', '/posts/', { posts: [{ ...post, ...feature }] });
    const hosts = [
      portHost('the companion', Number(new URL(serving.url).port)),
      await startNginxAt(folder),
      folderHost(folder),
    ];
    const names = await eventually(() => {
      const found = listNamed(join(folder, 'output'));
      expect(found).toContain('images/size/w600/a.png');
      return found;
    }, 'the post names sizes');
    const all = [
      ...names,
      ...[600, 1000, 1600, 2400].map((width) => `images/size/w${width}/f.png`),
    ];
    expect(names).toContain('images/size/w256h256/icon.png');
    for (const host of hosts) expect(await check(host, all, false)).toEqual([]);
    await eventually(async () => {
      expect(await waiting(serving)).toMatchObject({ waiting: 0 });
    }, 'no picture waits');
    for (const host of hosts) expect(await check(host, all, true)).toEqual([]);
    expect(listNamed(join(folder, 'output')).length).toBeGreaterThan(8);
  });
});
