// The OpenAPI documents: valid, with examples that fit, and no more and no less than what is registered.
import { subscribe, unsubscribe } from 'node:diagnostics_channel';
import { Validator } from '@seriousme/openapi-schema-validator';
import type { FastifyInstance } from 'fastify';
import { expect, test } from 'vitest';
import { RECORD_SCHEMAS } from '../../src/content/contract/documents.ts';
import { contentOpenApi } from '../../src/content/contract/openapi/content-document.ts';
import {
  exampleOf,
  type JsonSchema,
  toJsonSchema,
} from '../../src/content/contract/openapi/json-schema.ts';
import { adminOpenApi } from '../../src/serve/contract/operations/admin-document.ts';
import { ADMIN_OPERATIONS } from '../../src/serve/contract/operations/operations.ts';
import { RECORDS } from '../../src/serve/contract/records.ts';
import { serve } from '../unit/serve/server/harness.ts';

type Paths = Record<string, Record<string, { responses: object }>>;
const SERVER = 'https://news.example/blog';

test.each([
  ['admin', adminOpenApi({ serverUrl: SERVER })],
  ['content', contentOpenApi()],
  ["content in Ghost's shape", contentOpenApi({ shape: 'ghost' })],
])('the document of the %s interface is valid', async (_name, document) => {
  const copy = JSON.parse(JSON.stringify(document)) as Record<string, unknown>;
  const { valid, errors } = await new Validator().validate(copy);
  expect(errors ?? []).toEqual([]);
  expect(valid).toBe(true);
  const refs = [...JSON.stringify(document).matchAll(/"\$ref":"#\/components\/(\w+)\/(\w+)"/g)];
  const { components } = document as { components: Record<string, Record<string, unknown>> };
  expect(refs.length).toBeGreaterThan(10);
  expect(refs.filter(([, kind = '', name = '']) => !components[kind]?.[name])).toEqual([]);
});

test('every example fits its schema', () => {
  for (const [name, schema] of Object.entries(RECORDS)) {
    const example = exampleOf(toJsonSchema(schema, 'output'));
    expect([name, schema.safeParse(example).error?.issues ?? []]).toEqual([name, []]);
  }
  for (const { path, body } of ADMIN_OPERATIONS) {
    const issues = body?.schema.safeParse(body.example).error?.issues ?? [];
    expect([path, issues]).toEqual([path, []]);
  }
  for (const variants of Object.values(RECORD_SCHEMAS)) {
    for (const schema of Object.values(variants)) {
      expect(toJsonSchema(schema, 'output')).toMatchObject({ type: 'object' });
    }
  }
});

/** The routes that a server registers while it starts. */
const registeredRoutes = async (flags: Readonly<Record<string, unknown>>) => {
  const routes = new Set<string>();
  const listen = (message: unknown): void => {
    const { fastify } = message as { fastify: FastifyInstance };
    fastify.addHook('onRoute', ({ method, url, path }) => {
      for (const one of [method].flat()) routes.add(`${one} ${url ?? path}`);
    });
  };
  subscribe('fastify.initialization', listen);
  const served = await serve({ flags });
  unsubscribe('fastify.initialization', listen);
  return { routes, served };
};

/** Routes that serve files or pages by any name, the page that shows these documents, and the desk. */
const isFile = (route: string): boolean =>
  /\*$|^\S+ \/b\/(?:docs|desk|admin\/?$|content\/?$)/.test(route);

test('every date that clients may send says which time zone it has without one', () => {
  const dates = new Map<string, string>();
  const collect = (place: string, schema: JsonSchema): void => {
    for (const [name, inner] of Object.entries(schema)) {
      if (typeof inner !== 'object' || inner === null) continue;
      if (/_at$/.test(name)) dates.set(`${place} ${name}`, JSON.stringify(inner));
      collect(place, inner as JsonSchema);
    }
  };
  for (const { method, path, body } of ADMIN_OPERATIONS) {
    if (body) collect(`${method} ${path}`, toJsonSchema(body.schema, 'input'));
  }
  expect(dates.size).toBeGreaterThan(7);
  const silent = [...dates].filter(
    ([, text]) => !text.includes('without a time zone it is in UTC'),
  );
  expect(silent).toEqual([]);
});

test('each registered route is documented, and no other', async () => {
  const { routes } = await registeredRoutes({ basePath: '/b' });
  const registered = [...routes]
    .filter((route) => /^(?:GET|POST|PUT|DELETE|PATCH) /.test(route) && !isFile(route))
    // The folder of the pages for people.
    .filter((route) => !/^GET \/b\/?$/.test(route))
    .map((route) => route.replace(' /b', ' ').replace(/\/$/, ''))
    .sort();
  const { paths } = adminOpenApi({ serverUrl: SERVER }) as { paths: Paths };
  const documented = Object.entries(paths)
    .flatMap(([path, methods]) =>
      Object.keys(methods).map((method) => `${method.toUpperCase()} ${path}`),
    )
    .map((route) => route.replace(/\{(\w+)\}/g, ':$1').replace(/\/$/, ''))
    .sort();
  expect(registered.length).toBeGreaterThan(40);
  expect(documented).toEqual(registered);
});

test('the documents and their page are served', async () => {
  const { admin, get, origin } = await serve();
  const document = await (await admin('GET', '/admin/openapi.json')).json();
  expect(document).toMatchObject({ openapi: '3.1.0', servers: [{ url: origin }] });
  expect((await get('/admin/openapi.json')).status).toBe(401);
  expect(await (await get('/docs/admin.json')).json()).toEqual(document);
  expect(await (await get('/docs/content.json')).json()).toMatchObject({ openapi: '3.1.0' });
  expect((await get('/docs')).headers.get('location')).toBe('/docs/');
  const page = await get('/docs/');
  const html = await page.text();
  expect(page.headers.get('content-security-policy')).toContain("default-src 'none'");
  for (const [, file] of html.matchAll(/(?:src|href)="([^"]+)"/g)) {
    expect([file, (await get(`/docs/${file}`)).status]).toEqual([file, 200]);
  }
  expect(html).not.toMatch(/https?:\/\//);
  for (const file of ['index.html', '..%2fpackage.json', 'swagger-ui.js.map']) {
    expect([file, (await get(`/docs/${file}`)).status]).toEqual([file, 404]);
  }
});

test('lists answer the examples of their parameters', async () => {
  type Parameter = { readonly name: string; readonly in: string; readonly example?: string };
  const { admin } = await serve();
  const { paths } = adminOpenApi({ serverUrl: SERVER }) as {
    paths: Record<string, { get?: { parameters?: Parameter[] } }>;
  };
  const lists = Object.entries(paths).filter(
    ([path, { get }]) => /^\/admin\/\w+\/$/.test(path) && get?.parameters !== undefined,
  );
  expect(lists.length).toBeGreaterThan(7);
  for (const [path, { get }] of lists) {
    // It asks the address of its example.
    if (path === '/admin/oembed/') continue;
    const asked = (get?.parameters ?? []).map(({ name, example = '' }) => [name, example] as const);
    const { status } = await admin(
      'GET',
      `${path}?${new URLSearchParams(Object.fromEntries(asked))}`,
    );
    expect([path, status]).toEqual([path, 200]);
  }
});
