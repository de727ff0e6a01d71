// A companion server over real HTTP on a free port of 127.0.0.1, with a small tree on disk, keys, and a
// publisher that only notes what it was asked.
import { createHmac } from 'node:crypto';
import { mkdirSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import type { FastifyBaseLogger, FastifyInstance } from 'fastify';
import { onTestFinished } from 'vitest';
import { uploadsOf } from '../../../../src/publication/media/uploads.ts';
import { createKey } from '../../../../src/serve/admin/keys/keys.ts';
import { createServer } from '../../../../src/serve/server/create-server.ts';
import { createLogger } from '../../../../src/serve/server/log/logger.ts';
import type { PublisherPort, TreePort } from '../../../../src/serve/server/server-deps.ts';
import { dataPathsOf } from '../../../../src/settings/data-paths.ts';
import { loadConfig } from '../../../../src/settings/load.ts';
import { createCanary } from '../../../helpers/canary.ts';
import { createHarness as createAdminHarness, type Harness, START } from '../admin/harness.ts';

type Options = {
  readonly flags?: Readonly<Record<string, unknown>>;
  readonly logger?: FastifyBaseLogger;
  /** Address of the site; that of the admin harness when absent. */
  readonly siteUrl?: string;
  readonly firstBuild?: PublisherPort['firstBuild'];
  /** What the publisher says of itself. */
  readonly state?: object;
  /** Given, answers are kept for as long as it has one version. */
  readonly tree?: TreePort;
  /** Runs before the server starts. */
  readonly prepare?: (harness: Harness) => Promise<void>;
};

export type Served = Harness & {
  readonly origin: string;
  readonly app: FastifyInstance;
  readonly contentKey: string;
  readonly adminKey: string;
  readonly hookToken: string;
  readonly asked: string[];
  readonly output: string;
  /** Writes a file of the output tree. */
  readonly put: (file: string, body: string | Buffer) => void;
  readonly get: (path: string, init?: RequestInit) => Promise<Response>;
  /** The header of a good token of this key, or of the first admin key. */
  readonly authorization: (key?: string) => string;
  readonly adminAs: (key: string) => Served['admin'];
  /** A request of the admin interface with a good token. */
  readonly admin: (method: string, path: string, body?: unknown) => Promise<Response>;
};

export type Json = Record<string, unknown>;

/** A moment before those of the test clock. */
export const AT = '2026-02-01T10:00:00.000Z';

export const bodyOf = async (response: Response): Promise<Record<string, Json[]>> =>
  (await response.json()) as Record<string, Json[]>;

export const problemOf = async (response: Response): Promise<Json> =>
  (await bodyOf(response)).errors?.[0] ?? {};

/** What an answer with errors says: its status and the property that is wrong. */
export const faultOf = async (response: Response): Promise<unknown[]> => [
  response.status,
  (await problemOf(response)).property,
];

export const countOf = ({ shell }: Harness, table: string): unknown =>
  shell.prepare(`SELECT count(*) FROM ${table}`).pluck().get();

export const serve = async (options: Options = {}): Promise<Served> => {
  const { flags = {}, logger, siteUrl, tree } = options;
  const { firstBuild = () => null, state = { is: 'idle' } } = options;
  const harness = await createAdminHarness(siteUrl);
  const output = join(harness.folder, 'output');
  const config = loadConfig({
    flags: { database: harness.path, media: join(harness.folder, 'media'), ...flags, output },
    environment: {},
  });
  const keys = await Promise.all(
    (['content', 'admin', 'hook'] as const).map((type) =>
      createKey(harness.context, { type, name: type }),
    ),
  );
  const [contentKey = '', adminKey = '', hookToken = ''] = keys.map(({ key }) => key);
  await options.prepare?.(harness);
  const asked: string[] = [];
  const canary = createCanary();
  let origin = '';
  const app = createServer({
    config,
    context: harness.context,
    publisher: {
      wake: () => void asked.push('wake'),
      requestBuild: async (by) => {
        asked.push(by);
        return { id: 'b'.repeat(24) };
      },
      state: () => state,
      firstBuild,
    },
    storedSegment: (_resource, slug) => (slug === 'a?b' ? `~${'0'.repeat(32)}` : undefined),
    uploads: uploadsOf(dataPathsOf(config)),
    adminOrigin: () => origin,
    ...(tree && { tree }),
    logger: logger ?? createLogger('debug', { write: canary.log }),
  });
  origin = await app.listen({ host: '127.0.0.1', port: 0 });
  onTestFinished(() => app.close());
  const secrets = [contentKey, adminKey.split(':')[1] ?? '', hookToken];
  onTestFinished(() => canary.check({ ...harness, output, secrets }));
  const get = async (path: string, init: RequestInit = {}): Promise<Response> => {
    const response = await fetch(`${origin}${path}`, { redirect: 'manual', ...init });
    if (path.startsWith('/admin/')) await canary.answer(response.clone());
    return response;
  };
  const authorization = (key = adminKey): string => {
    const iat = Math.floor(harness.context.clock.now() / 1000);
    return `Ghost ${signToken(key, { claims: { iat, exp: iat + 300 } })}`;
  };
  const adminAs =
    (key: string): Served['admin'] =>
    (method, path, body) =>
      get(path, {
        method,
        headers: {
          authorization: authorization(key),
          ...(body !== undefined && { 'content-type': 'application/json' }),
        },
        ...(body !== undefined && { body: JSON.stringify(body) }),
      });
  return {
    ...harness,
    origin,
    app,
    contentKey,
    adminKey,
    hookToken,
    asked,
    output,
    put: (file, body) => {
      mkdirSync(dirname(join(output, file)), { recursive: true });
      writeFileSync(join(output, file), body);
    },
    get,
    authorization,
    adminAs,
    admin: adminAs(adminKey),
  };
};

export type TokenParts = {
  readonly header?: Readonly<Record<string, unknown>>;
  readonly claims?: Readonly<Record<string, unknown>>;
  /** Hex; other than the key's own. */
  readonly secret?: string;
};

/** A token made by hand, so that it may be as wrong as a test wants. Its times are the test clock's. */
export const signToken = (adminKey: string, { header, claims, secret }: TokenParts): string => {
  const [kid = '', own = ''] = adminKey.split(':');
  const iat = Math.floor(START / 1000);
  const parts = [
    { alg: 'HS256', typ: 'JWT', kid, ...header },
    { iat, exp: iat + 300, aud: '/admin/', ...claims },
  ].map((part) => Buffer.from(JSON.stringify(part)).toString('base64url'));
  const signature = createHmac('sha256', Buffer.from(secret ?? own, 'hex'))
    .update(parts.join('.'))
    .digest('base64url');
  return [...parts, signature].join('.');
};
