// The client: the content interface answered by the program that reads it, from the files of a site, with the bytes of
// the companion server. Every answer is of one generation: the root is asked for anew for each.
import { problemBody } from '../base/problem-body.ts';
import { answerAddress } from '../queries/answer-address.ts';
import { createFiles } from './read-files.ts';
import type { Content, ContentError, Item, OpenContent } from './types.ts';

export const openContent: OpenContent = (url, options = {}) => {
  const files = createFiles(`${url.replace(/\/$/, '')}/content`, options);
  const answer: Content['answer'] = async (address) => {
    const [path, rawQuery] = splitAddress(address);
    const asked = { path, rawQuery, nowMs: Date.now() };
    const answered = await answerAddress(files.store, asked);
    if (answered?.kind === 'problem') return { status: answered.status, body: answered.body };
    const file = FILED.test(path) ? await files.read(`${path}index.json`) : null;
    const pieces = answered?.pieces ?? (file && [file]);
    if (pieces === null) return NOT_FOUND;
    return { status: 200, body: await new Blob(pieces as Uint8Array<ArrayBuffer>[]).text() };
  };
  const makeRequest: Content['makeRequest'] = async ({ url: address, params = {} }) => {
    const { status, body } = await answer(`${address}?${spell(params)}`);
    const data = JSON.parse(body);
    if (status !== 200) throw createError(status, data);
    return { status, data };
  };
  const get = async <T>(address: string, params: object = {}): Promise<T> =>
    (await makeRequest({ url: address, params: params as Item })).data as T;
  return {
    answer,
    makeRequest,
    list: (resource, params) => get(`${resource}/`, params),
    read: async (resource, key, params) => {
      const name = 'id' in key ? key.id : `slug/${encodeURIComponent(key.slug)}`;
      const document = await get<Record<string, never[]>>(`${resource}/${name}/`, params);
      return document[resource]?.[0] as never;
    },
    settings: async () => (await get<{ settings: Item }>('settings/')).settings,
  };
};

/** What has an address but is no answer of the packed tree. */
const FILED = /^(?:settings|tiers|search-index\/[a-z]+)\/$/;

const NOT_FOUND = {
  status: 404,
  body: problemBody({ type: 'NotFoundError', message: 'Resource not found' }),
};

/** The resources, and what is filed. */
const FIRST = /^(?:posts|pages|tags|authors|settings|tiers|search-index)$/;

/** Path behind `content/`, with its last slash, and raw query; the path is empty where nothing of ours is named. */
const splitAddress = (address: string): [path: string, rawQuery: string] => {
  const at = `${address}?`.indexOf('?');
  const names = address.slice(0, at).replace(/\/$/, '').split('/');
  const first = names.findIndex(
    (name, place) => FIRST.test(name) && (place === 0 || names[place - 1] === 'content'),
  );
  return [first < 0 ? '' : `${names.slice(first).join('/')}/`, address.slice(at + 1)];
};

/** As the stock client spells them. */
const spell = (params: { readonly [name: string]: unknown }): string =>
  Object.entries(params)
    .map(([name, value]) => `${name}=${encodeURIComponent([value].flat().join(','))}`)
    .join('&');

type Data = ContentError['response']['data'];

const createError = (status: number, data: Data): ContentError => {
  const { message, type } = data.errors[0];
  return Object.assign(new Error(message), { name: type, response: { status, data } });
};
