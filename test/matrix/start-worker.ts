// Cloudflare's worker in workerd, with what Cloudflare would be given of the tree.
import { createHash } from 'node:crypto';
import { cpSync, mkdirSync, writeFileSync } from 'node:fs';
import { dirname, join, relative } from 'node:path';
import { cloudflareFiles, WORKER } from '../../src/publish/hosts/cloudflare/files.ts';
import type { HostSite } from '../../src/publish/hosts/host.ts';
import { type Ask, askAt } from './ask.ts';
import { hostSiteOf } from './host-site.ts';
import type { MatrixSite } from './site.ts';
import { startWorkerd } from './workerd-process.ts';

export type StartedWorker = {
  readonly ask: Ask;
  /** Folder of the assets. */
  readonly served: string;
  /** The site stays. */
  readonly end: () => Promise<void>;
};

type Options = {
  readonly keys?: readonly string[] | undefined;
  /** As the host is told it. */
  readonly given?: Partial<HostSite>;
  /** Requests to the assets that one request may make. */
  readonly requestsMax?: number;
};

export const startWorker = async (
  site: MatrixSite,
  { keys, given = {}, requestsMax }: Options = {},
): Promise<StartedWorker> => {
  const keyHashes = keys?.map((key) => createHash('sha256').update(key).digest('hex')) ?? null;
  const files = await cloudflareFiles(hostSiteOf(site, { keyHashes, ...given }));
  const textOf = (name: string): string => files.find(({ path }) => path === name)?.text ?? '';
  started += 1;
  const folder = join(dirname(site.output), `workerd-${started}`);
  const served = join(folder, 'assets');
  mkdirSync(folder);
  uploadTo(site, { served, ignored: textOf('.assetsignore') });
  const workerd = await startWorkerd({
    folder,
    output: served,
    worker: textOf(WORKER),
    ...(requestsMax !== undefined && { requestsMax }),
  });
  return { ask: askAt(workerd.port), served, end: workerd.end };
};

let started = 0;

/** Copies what a file in the language of .gitignore leaves. */
export const uploadTo = (
  site: Pick<MatrixSite, 'output'>,
  to: { served: string; ignored: string },
): void => {
  const patterns = to.ignored.split('\n').filter((line) => line !== '' && !line.startsWith('#'));
  const isIgnored = (path: string): boolean =>
    patterns.some((pattern) => {
      const text = pattern
        .replaceAll('.', '[.]')
        .replaceAll('/**/', '/(?:.+/)?')
        .replaceAll('*', '[^/]*');
      const start = pattern.slice(0, -1).includes('/') ? '^' : '(?:^|/)';
      return new RegExp(`${start}${text}${pattern.endsWith('/') ? '' : '(?:/|$)'}`).test(path);
    });
  cpSync(site.output, to.served, {
    recursive: true,
    filter: (path) => {
      const name = `/${relative(site.output, path)}`.replace(/^\/$/, '');
      return !isIgnored(name) && !isIgnored(`${name}/`);
    },
  });
  writeFileSync(join(to.served, '.assetsignore'), to.ignored);
};
