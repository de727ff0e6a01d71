// Addresses to answers, as every host that runs code gives them: bodies of the executor, and the companion server's error
// bodies.
import { expect, test } from 'vitest';
import {
  type AddressAnswer,
  answerAddress,
} from '../../../../src/content/queries/answer-address.ts';
import { createTreeStore, type TreeStore } from '../../../../src/content/tree/tree-store.ts';
import { LEVELS } from '../../../../src/publish/packed/boundaries.ts';
import { problemBody, toProblem } from '../../../../src/serve/server/problems/problem.ts';
import { makeOddPublication, ODD_NOW, packOdd, storeOf } from '../../../helpers/odd-records.ts';
import { numberedId, publicationOf } from '../../../helpers/packed-files.ts';
import { createRandom } from '../../../helpers/random.ts';

const publication = makeOddPublication(createRandom(3), 40);
const packed = packOdd(publication, { levels: LEVELS, max: 30 });
const store = storeOf(packed);

const ask = (address: string, from: TreeStore = store): Promise<AddressAnswer | null> => {
  const [path = '', rawQuery = ''] = address.split('?');
  return answerAddress(from, { path, rawQuery, nowMs: ODD_NOW });
};

const textOf = (answer: AddressAnswer | null): string | null =>
  answer?.kind === 'body' ? Buffer.concat(answer.pieces).toString('utf8') : null;

test('a slug is found in every normal form, one of exactly these characters first', async () => {
  const slugs = ['caf\u00e9', 'u\u0308', 'o\u0308', '\u00f6', 'a/b'];
  const posts = publicationOf(slugs.map((slug, at) => ({ id: numberedId(at), slug })));
  const from = storeOf(packOdd(posts, { levels: LEVELS, max: 30 }));
  const idOf = async (slug: string): Promise<string | undefined> => {
    const address = `posts/slug/${encodeURIComponent(slug)}/?fields=id`;
    return /"id":"(\d+)"/.exec(textOf(await ask(address, from)) ?? '')?.[1];
  };
  for (const [at, slug] of slugs.entries()) expect(await idOf(slug)).toBe(numberedId(at));
  expect(await idOf('cafe\u0301')).toBe(numberedId(0));
  expect(await idOf('\u00fc')).toBe(numberedId(1));
});

test.each([
  'settings/',
  'posts',
  'posts/slug/none-of-this-name/',
  `posts/${numberedId(7)}/`,
  'tags/slug/none-of-this-name/?fields=id',
  'posts/slug/%E0%A4%A/',
])('%s is nothing', async (address) => {
  expect(await ask(address)).toBeNull();
});

test.each([
  'posts/?limit=-1',
  'posts/?page=abc',
  'posts/?filter=((',
  'tags/?filter=title:x',
  `posts/${publication.posts[0]?.id}/?formats=pdf`,
])('%s has the body of the companion server', async (address) => {
  const asked = { path: address.split('?')[0] ?? '', rawQuery: address.split('?')[1] ?? '' };
  const answer = await answerAddress(store, { ...asked, nowMs: ODD_NOW });
  expect(answer).toMatchObject({ kind: 'problem' });
  if (answer?.kind !== 'problem') return;
  const { errors } = JSON.parse(answer.body);
  const { message, context, property, type } = errors[0];
  const { status } = answer;
  const thrown = Object.assign(new Error(message), { status, context, property, type });
  expect(answer.body).toBe(JSON.stringify(problemBody(toProblem(thrown, null), null)));
  expect([400, 422]).toContain(answer.status);
});

test('a blob that stays away is 503, other faults of the store are passed on', async () => {
  const storeWith = (readBlob: () => Promise<null>): TreeStore =>
    createTreeStore({ bytesMax: 0, readRoot: async () => packed.root, readBlob });
  const answer = await ask(
    'posts/',
    storeWith(async () => null),
  );
  expect(answer).toMatchObject({ kind: 'problem', status: 503 });
  const broken = storeWith(() => Promise.reject(new Error('The network is down.')));
  await expect(ask('posts/', broken)).rejects.toThrow('The network is down.');
});
