// The client: the content interface answered by the program that reads it, from the files of a site, with the bytes of
// the companion server. Every answer is of one generation: the root is asked for anew for each.
import { problemBody } from '../paths/problem-body.ts';
import { NOT_FOUND } from '../paths/problems.ts';
import { answerAddress } from '../queries/answer-address.ts';
import { createFiles } from './read-files.ts';
import { createSync } from './sync.ts';
import type {
  Content,
  ContentError,
  OpenContent,
  Options,
  Resource,
  Settings,
  Shape,
} from './types.ts';

export const openContent: OpenContent = <S extends Shape>(
  url: string,
  options: Options = {},
): Content<S> => {
  if (typeof url !== 'string' || typeof options === 'string')
    throw new TypeError('openContent takes an address and { contentKey }.');
  const files = createFiles(`${url.replace(/\/$/, '')}/content`, options);
  const answer: Content['answer'] = async (address) => {
    const [path, rawQuery] = splitAddress(address);
    const answered = await answerAddress(files.store, { path, rawQuery, nowMs: Date.now() });
    if (answered?.kind === 'problem') return { status: answered.status, body: answered.body };
    const file = FILED.test(path) && (await files.read(`${path}index.json`));
    const pieces = answered?.pieces ?? (file && [file]);
    if (pieces)
      return { status: 200, body: await new Blob(pieces as Uint8Array<ArrayBuffer>[]).text() };
    // What hides a file without its key hides the root, too, and then this says so.
    await files.store.root(false);
    return { status: 404, body: problemBody(NOT_FOUND) };
  };
  const makeRequest: Content['makeRequest'] = async ({ url: address, params = {} }) => {
    const { status, body } = await answer(`${address}?${spell(params)}`);
    const response: ContentError['response'] = { status, data: JSON.parse(body) };
    if (status === 200) return response;
    const [{ message, type: name }] = response.data.errors;
    throw Object.assign(new Error(`${message}: ${address}`), { name, response });
  };
  const get = async <T>(address: string, params?: object): Promise<T> =>
    (await makeRequest({ url: address, params: params as { [name: string]: unknown } })).data as T;
  return {
    answer,
    makeRequest,
    list: (resource, params) => get(`${resource}/`, params),
    read: async (resource: Resource, key: Named, params?: object) => {
      const { id, slug, ...asked } = key ?? {};
      if ((id ?? slug) === undefined) throw new TypeError('read takes { id } or { slug }.');
      const name = id ?? `slug/${encodeURIComponent(slug as string)}`;
      const document = await get<Record<string, [never]>>(`${resource}/${name}/`, {
        ...asked,
        ...params,
      });
      return (document[resource] as [never])[0];
    },
    settings: async () => (await get<{ settings: Settings<S> }>('settings/')).settings,
    sync: createSync(files),
  };
};

/** As callers without types may name a record. */
type Named = { readonly id?: string; readonly slug?: string } | null | undefined;

/** What has an address but is no answer of the packed tree. */
const FILED = /^(?:settings|tiers|search-index\/\w+)\/$/;

/** Between the URL of a site and an address, as the stock client puts them together. */
const ALIAS = /\/api\/(?:v\d\/|canary\/)?content\//;

/** Path behind `content/`, with its last slash, and raw query. */
const splitAddress = (address: string): [path: string, rawQuery: string] => {
  const at = `${address}?`.indexOf('?');
  const path = address.slice(0, at).split(ALIAS).pop();
  return [`${path}/`.replace('//', '/'), address.slice(at + 1)];
};

/** As the stock client spells them: arrays become lists. */
const spell = (params: { readonly [name: string]: unknown }): string =>
  Object.keys(params)
    .map((name) => `${name}=${encodeURIComponent((params[name] ?? '') as string)}`)
    .join('&');
