// The CloudFront function in Node's vm and in njs. What CloudFront and its store do around it is played
// here: the file of the rewritten address, or the answer for what is absent, with the policy's headers.
import { execFileSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { existsSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { runInNewContext } from 'node:vm';
import { describe, expect, test } from 'vitest';
import type { CloudFrontRequest, CloudFrontResponse } from '../../src/content/edge/cloudfront.ts';
import { hashedSegment } from '../../src/content/paths/segments.ts';
import { metadataOf } from '../../src/publish/deploy/s3/metadata.ts';
import { bundleEdge } from '../../src/publish/hosts/bundles/bundle.ts';
import { cloudfrontFiles, FUNCTION } from '../../src/publish/hosts/cloudfront/files.ts';
import type { HostSite } from '../../src/publish/hosts/host.ts';
import { type Answer, type Ask, type Asked, askAt } from './ask.ts';
import { holdGuarded } from './check-guarded.ts';
import { basedOn, hostTrials } from './check-host.ts';
import { listTrials, type Mode, otherQueriesOf } from './check-lists.ts';
import { holdPages } from './check-pages.ts';
import { LIST_PATHS, queryTrials } from './check-queries.ts';
import { REQUESTS, type Request } from './conformance.ts';
import { hostSiteOf } from './host-site.ts';
import { startHosts } from './hosts-of-file.ts';
import { buildListSite, listSiteQueries } from './list-site.ts';
import { missing } from './program.ts';
import { isClosed, rawByteExceptions } from './rule-exceptions.ts';
import { type MatrixSite, SMALL_PICTURE, TEXT_BLOB, UNICODE_SLUG } from './site.ts';
import { holdAll } from './trials.ts';

type Handler = (event: { request: CloudFrontRequest }) => CloudFrontRequest | CloudFrontResponse;

const requestOf = ({ method = 'GET', path, headers: sent = {} }: Asked): CloudFrontRequest => {
  const [uri = '', query = ''] = path.split('?');
  const querystring: Record<string, { value: string; multiValue?: { value: string }[] }> = {};
  for (const pair of query === '' ? [] : query.split('&')) {
    const [name = '', ...value] = pair.split('=');
    const one = { value: value.join('=') };
    const known = querystring[name];
    querystring[name] =
      known === undefined ? one : { ...known, multiValue: [...(known.multiValue ?? [known]), one] };
  }
  const headers = Object.fromEntries(
    Object.entries(sent).map(([name, value]) => [name, { value }]),
  );
  return { method, uri, querystring, headers };
};

type Policies = {
  readonly shared: Readonly<Record<string, string>>;
  /** Of paths that fit one of the patterns: a beginning of any length, and a folder. */
  readonly media: { readonly policy: string; readonly patterns: readonly string[] };
  readonly notFound: {
    readonly ErrorCode: number;
    readonly ResponseCode: string;
    readonly ResponsePagePath: string;
    readonly ErrorCachingMinTTL: number;
  };
};

type Metadata = {
  readonly Prefix?: string;
  readonly Suffix: string;
  readonly ContentType: string;
  readonly CacheControl: string;
};

/** The headers that CloudFront makes of the policy, and what the distribution is told. */
const readPolicies = (
  [policy = '', media = '', distribution = '']: readonly string[],
  queries: 'all' | 'none',
): Policies => {
  const {
    CorsConfig: cors,
    CustomHeadersConfig: custom,
    SecurityHeadersConfig,
  } = JSON.parse(policy);
  const { CustomErrorResponses, ObjectMetadata, DefaultCacheBehavior, CacheBehaviors } =
    JSON.parse(distribution);
  expect(SecurityHeadersConfig.ContentTypeOptions.Override).toBe(true);
  expect(DefaultCacheBehavior).toMatchObject({
    Compress: true,
    CachePolicy: {
      MinTTL: 0,
      ParametersInCacheKeyAndForwardedToOrigin: {
        EnableAcceptEncodingGzip: true,
        EnableAcceptEncodingBrotli: true,
        QueryStringsConfig: { QueryStringBehavior: queries },
      },
    },
  });
  const codes = (CustomErrorResponses as Policies['notFound'][]).map(({ ErrorCode }) => ErrorCode);
  expect(codes).toEqual([403, 404]);
  const shared: [string, string][] = (custom.Items as { Header: string; Value: string }[]).map(
    ({ Header, Value }) => [Header.toLowerCase(), Value],
  );
  // The plan says what the deploy does.
  for (const { Prefix, Suffix, ContentType, CacheControl } of ObjectMetadata as Metadata[]) {
    const file = Prefix === undefined ? 'content/posts' : TEXT_BLOB.slice(0, -'.txt'.length);
    const path = Prefix === undefined ? file : `${Prefix}${file.slice('packed/'.length)}`;
    expect(metadataOf(`${path}${Suffix}`)).toEqual({ ContentType, CacheControl });
  }
  const behaviors = CacheBehaviors as { PathPattern: string; ResponseHeadersPolicy: string }[];
  const { Name, SecurityHeadersConfig: security } = JSON.parse(media);
  expect(new Set(behaviors.map((one) => one.ResponseHeadersPolicy))).toEqual(new Set([Name]));
  return {
    media: {
      policy: security.ContentSecurityPolicy.ContentSecurityPolicy,
      patterns: behaviors.map(({ PathPattern }) => PathPattern.replaceAll('*', '')),
    },
    shared: {
      ...Object.fromEntries(shared),
      'access-control-allow-origin': cors.AccessControlAllowOrigins.Items.join(', '),
      'access-control-expose-headers': cors.AccessControlExposeHeaders.Items.join(', '),
      'x-content-type-options': 'nosniff',
    },
    notFound: CustomErrorResponses[0],
  };
};

type Result = CloudFrontRequest | CloudFrontResponse;

/** What a distribution with the policies of distribution.json answers. */
const answerOf = ({ site, policies }: Distribution, result: Result, asked: Asked): Answer => {
  const { notFound, media } = policies;
  const isMedia = media.patterns.some((pattern) => asked.path.split('?')[0]?.includes(pattern));
  const shared = {
    ...policies.shared,
    ...(isMedia && { 'content-security-policy': media.policy }),
  };
  if ('statusCode' in result) {
    const own = Object.entries(result.headers).map(([name, { value }]) => [name, value]);
    const body = Buffer.from(asked.method === 'HEAD' ? '' : (result.body?.data ?? ''));
    return { status: result.statusCode, headers: { ...shared, ...Object.fromEntries(own) }, body };
  }
  if (/^[a-z/]*\/content\//.test(asked.path)) expect(result.querystring).toEqual({});
  const isRead = asked.method === undefined || /^(?:GET|HEAD)$/.test(asked.method);
  const file = isRead ? storedFile(site, result.uri) : null;
  if (file === null) {
    const page = readFileSync(join(site.output, notFound.ResponsePagePath));
    const body = asked.method === 'HEAD' ? Buffer.alloc(0) : page;
    const { ContentType, CacheControl } = metadataOf(notFound.ResponsePagePath);
    const headers = { ...shared, 'content-type': ContentType, 'cache-control': CacheControl };
    return { status: Number(notFound.ResponseCode), headers, body };
  }
  const { ContentType: type, CacheControl } = metadataOf(file);
  const bytes = readFileSync(file);
  const etag = `"${createHash('md5').update(bytes).digest('hex')}"`;
  const headers = { ...shared, 'content-type': type, 'cache-control': CacheControl, etag };
  if (asked.headers?.['if-none-match'] === etag)
    return { status: 304, headers, body: Buffer.alloc(0) };
  return { status: 200, headers, body: asked.method === 'HEAD' ? Buffer.alloc(0) : bytes };
};

/** A store knows no dot segments: a key is what it is. */
const storedFile = ({ output }: MatrixSite, uri: string): string | null => {
  let key: string;
  try {
    key = decodeURIComponent(uri);
  } catch {
    return null;
  }
  const path = join(output, key);
  const isKey = !/\/\/|\/\.|\0/.test(key) && !key.endsWith('/');
  return isKey && existsSync(path) && statSync(path).isFile() ? path : null;
};

const reason = missing('njs', 'apt-get install njs');

/** A function for viewer requests sets no header of what is stored, and objects of one name are kept in one way. */
const exceptions = (request: Request): string | null =>
  request.path === '/content/404.json' && request.method === 'GET'
    ? 'the object is kept as what is absent is'
    : isClosed(request)
      ? 'settings are left out of deploys'
      : request.path.endsWith(SMALL_PICTURE)
        ? 'the function cannot look, and was told that there are no sizes'
        : rawByteExceptions(request);

type Distribution = {
  readonly site: MatrixSite;
  /** Of the function. */
  readonly code: string;
  readonly policies: Policies;
};

const distribute = async (
  site: MatrixSite,
  hostSite: Partial<HostSite> = {},
): Promise<Distribution> => {
  const files = await cloudfrontFiles(hostSiteOf(site, hostSite));
  const textOf = (name: string): string => files.find(({ path }) => path === name)?.text ?? '';
  const names = ['response-headers-policy.json', 'media-headers-policy.json', 'distribution.json'];
  const isPassing = hostSite.queries?.otherQueries.startsWith('http') === true;
  const policies = readPolicies(names.map(textOf), isPassing ? 'all' : 'none');
  return { site, code: textOf(FUNCTION), policies };
};

type Origin = Readonly<Record<string, unknown>>;

/** CloudFront's own module is none of Node's. */
const handlerOf = (code: string, onOrigin: (origin: Origin) => void = () => undefined): Handler => {
  const require = createRequire(import.meta.url);
  const cf = { updateRequestOrigin: onOrigin };
  const script = code.replace("import cf from 'cloudfront';", '');
  return runInNewContext(`${script};handler`, { require, cf }) as Handler;
};

/** As the function named it, with the query that it left. */
const askOrigin = (
  { domainName, customHeaders, customOriginConfig }: Origin,
  { uri, querystring }: CloudFrontRequest,
  asked: Asked,
): Promise<Answer> => {
  expect(domainName).toBe('127.0.0.1');
  expect(customHeaders).toEqual({ 'X-Prepress-Stale': '60' });
  const { port, protocol } = customOriginConfig as { port: number; protocol: string };
  expect(protocol).toBe('http');
  const pairs = Object.entries(querystring).flatMap(([name, given]) =>
    (given.multiValue ?? [given]).map(({ value }) => `${name}=${value}`),
  );
  return askAt(port)({ ...asked, path: `${uri}?${pairs.join('&')}` });
};

const askInVm = (distribution: Distribution): Ask => {
  let origin: Origin | null = null;
  const handler = handlerOf(distribution.code, (named) => {
    origin = named;
  });
  return async (asked) => {
    origin = null;
    const result = JSON.parse(JSON.stringify(handler({ request: requestOf(asked) })));
    return origin === null
      ? answerOf(distribution, result, asked)
      : askOrigin(origin, result, asked);
  };
};

/** njs prints no more of a line. */
const LENGTH_MAX = 4_000;

const keyOf = ({ method = 'GET', path }: Asked): string => `${method} ${path}`;

/** One start of njs for the whole list: each costs some time. */
const askInNjs = (distribution: Distribution): Ask => {
  const { site, code } = distribution;
  const requests = REQUESTS.filter(({ path }) => path.length <= LENGTH_MAX).map(
    ({ method, path }) => ({ method, path: basedOn(site, path) }),
  );
  // Asked for in the spelling of the list alone, for what is answered in another way.
  const listed = REQUESTS.filter(({ path }) => path.length <= LENGTH_MAX).map(
    ({ method, path }) => ({
      method,
      path: path.replace(/^\/content/, `${site.basePath}/content`),
    }),
  );
  const all = [...requests, ...listed];
  const script = join(dirname(site.output), 'function.js');
  writeFileSync(
    script,
    `${code}
;${JSON.stringify(all.map(requestOf))}.forEach(function (request) {
  console.log(JSON.stringify(handler({ request: request })));
});`,
  );
  const printed = execFileSync('njs', [script], { encoding: 'utf8' }).trim().split('\n');
  const results = new Map(all.map((asked, at) => [keyOf(asked), JSON.parse(printed[at] ?? '')]));
  return async (asked) => {
    const result = results.get(keyOf(asked));
    if (result === undefined) throw new Error(`njs was not asked for ${asked.path}.`);
    return answerOf(distribution, result, asked);
  };
};

describe('the function in the vm', () => {
  const start = async (site: MatrixSite) => {
    const distribution = await distribute(site);
    return { ...distribution, ask: askInVm(distribution) };
  };
  const hosts = startHosts([
    { title: 'vm', start },
    { title: 'vm', basePath: '/blog', start },
  ]);

  test('documents and addresses', () =>
    holdAll(
      hosts().flatMap((host) => hostTrials(host, { exceptions, missingHeaders: ['deprecation'] })),
    ));

  test.skipIf(reason !== null)(`documents and addresses, in njs ${reason ?? ''}`, () =>
    holdAll(
      hosts().flatMap((host) =>
        hostTrials(
          { ...host, title: host.title.replace('vm', 'njs'), ask: askInNjs(host) },
          {
            missingHeaders: ['deprecation'],
            adapt: (request) => (request.path.length > LENGTH_MAX ? null : request),
            exceptions: (request) =>
              request.path.includes('e%CC%81')
                ? 'this njs has no normal forms'
                : exceptions(request),
          },
        ),
      ),
    ),
  );

  test('pages for readers', () => holdPages(hosts(), { isPlayed: true }));

  test('the function asks for the content key when it was bundled with their hashes', async () => {
    const keyHashes = [createHash('sha256').update('right').digest('hex')];
    for (const { site, policies } of hosts()) {
      const code = await bundleEdge({
        entry: 'cloudfront',
        site: hostSiteOf(site, { keyHashes }),
      });
      const ask = askInVm({ site, policies, code });
      await holdGuarded(ask, site.basePath);
    }
  });

  test('a slug with a backslash is found, and no plain file is', async () => {
    const names = [{ resource: 'posts' as const, slug: 'a\\b', segment: hashedSegment('a\\b') }];
    for (const { site } of hosts()) {
      const { basePath } = site;
      const handler = handlerOf(
        await bundleEdge({ entry: 'cloudfront', site: hostSiteOf(site, { names }) }),
      );
      const uriOf = (path: string) =>
        handler({ request: requestOf({ path: `${basePath}${path}` }) });
      const uri = `${basePath}/content/posts/slug/${hashedSegment('a\\b')}/index.json`;
      // The second site is given fewer variants.
      const sent = basePath === '' ? uri : uri.replace('index.json', 'authors.json');
      expect(uriOf('/content/posts/slug/a%5Cb/')).toMatchObject({ uri: sent });
      expect(uriOf('/content/images/..%5cb')).toMatchObject({ uri: `${basePath}/content/.absent` });
    }
  });

  test('a thousand slugs that no file can be called by are found, in a function that is no longer', async () => {
    const names = Array.from({ length: 1_000 }, (_, at) => {
      const slug = `what? ${at}`;
      return { resource: 'posts' as const, slug, segment: hashedSegment(slug) };
    });
    for (const { site } of hosts()) {
      const { basePath } = site;
      const many = await bundleEdge({ entry: 'cloudfront', site: hostSiteOf(site, { names }) });
      expect(Buffer.byteLength(many)).toBeLessThanOrEqual(10_240);
      const handler = handlerOf(many);
      for (const { slug, segment } of names) {
        const path = `${basePath}/content/posts/slug/${encodeURIComponent(slug)}/?include=authors,tags`;
        const uri = `${basePath}/content/posts/slug/${segment}/authors-tags.json`;
        expect(handler({ request: requestOf({ path }) })).toMatchObject({ uri });
      }
    }
  });

  test('the function is within the 10,240 bytes of the host', () => {
    for (const { code } of hosts()) expect(Buffer.byteLength(code)).toBeLessThanOrEqual(10_240);
  });
});

describe('the function that is told what to do with other queries', () => {
  const modes: readonly Mode[] = ['refuse', 'pass on', 'ignore'];
  const hosts = startHosts(
    modes.map((mode) => ({
      title: mode,
      basePath: mode === 'refuse' ? '' : '/blog',
      start: async (site, companion) => {
        const { port } = await companion();
        const distribution = await distribute(site, listSiteQueries(otherQueriesOf(mode, port)));
        return {
          code: distribution.code,
          ask: askInVm(distribution),
          mode,
          companion: askAt(port),
        };
      },
    })),
    buildListSite,
  );

  test('default lists and records', () => holdAll(hosts().flatMap(listTrials)));

  test('queries of consumers that are passed on', () =>
    holdAll(
      hosts()
        .filter(({ mode }) => mode === 'pass on')
        .flatMap((host) => queryTrials(host, host.companion, { paths: LIST_PATHS })),
    ));

  test('parts of records are passed on', async () => {
    for (const { ask, companion, site } of hosts().filter(({ mode }) => mode === 'pass on')) {
      for (const query of ['fields=title', 'formats=html,plaintext&include=tags']) {
        const path = `${site.basePath}/content/posts/slug/${encodeURIComponent(UNICODE_SLUG)}/?${query}`;
        const [passed, own] = [await ask({ path }), await companion({ path })];
        expect([path, passed.body.toString()]).toEqual([path, own.body.toString()]);
      }
    }
  });

  test('is within the 10,240 bytes of the host', () => {
    for (const { code } of hosts()) expect(Buffer.byteLength(code)).toBeLessThan(10_240);
  });
});
