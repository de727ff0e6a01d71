// What the executor promises beside the right bytes: one state of the publication, few reads, refusals before reads.
import { describe, expect, test } from 'vitest';
import { answerList, answerRecord } from '../../../../src/content/queries/answer.ts';
import { isQueryProblem } from '../../../../src/content/queries/query-problem.ts';
import type { Root } from '../../../../src/content/tree/tree.ts';
import { createTreeStore } from '../../../../src/content/tree/tree-store.ts';
import { LEVELS } from '../../../../src/publish/packed/boundaries.ts';
import { SMALL_LEVELS } from '../../../helpers/memory-blobs.ts';
import {
  makeOddPublication,
  ODD_NOW,
  type OddPublication,
  packOdd,
  storeOf,
} from '../../../helpers/odd-records.ts';
import { expectedList, type OracleQuery } from '../../../helpers/query-oracle.ts';
import { createRandom } from '../../../helpers/random.ts';

const textOf = (pieces: readonly Uint8Array[] | null): string =>
  pieces === null ? 'null' : Buffer.concat(pieces).toString('utf8');

const WHOLE: OracleQuery = {
  filter: null,
  order: [],
  limit: 1_000,
  page: 1,
  includes: [],
  fields: null,
  formats: null,
};

const ask = (rawQuery: string) => ({ rawQuery, nowMs: ODD_NOW });
const before = makeOddPublication(createRandom(1), 60);
const after = makeOddPublication(createRandom(2), 60);

const packSmall = (publication: OddPublication) =>
  packOdd(publication, { levels: SMALL_LEVELS, max: 1_000 });
const old = packSmall(before);
const fresh = packSmall(after);

/** Blobs of two states; the root is the one before until a fresh one is asked for. */
const createMoved = (isKept: (name: string) => boolean) => {
  const asked: boolean[] = [];
  const store = createTreeStore({
    bytesMax: 0,
    readRoot: async (isFresh) => {
      asked.push(isFresh);
      return isFresh ? fresh.root : old.root;
    },
    readBlob: async (name) =>
      fresh.blobs.all.get(name) ?? (isKept(name) ? (old.blobs.all.get(name) ?? null) : null),
  });
  return { store, asked, names: [...old.blobs.all.keys()] };
};

describe('one state', () => {
  test('an answer reads the root once', async () => {
    const { store, asked } = createMoved(() => true);
    expect(textOf(await answerList(store, 'posts', ask('')))).toBe(
      expectedList(before, 'posts', WHOLE),
    );
    expect(asked).toEqual([false]);
  });

  test('where any blob is gone, the whole answer is of the fresh root', async () => {
    const query = { ...WHOLE, includes: ['authors', 'tags'], formats: ['html', 'plaintext'] };
    const raw = 'include=authors,tags&formats=html,plaintext&filter=status:x';
    const [oldText, freshText] = [before, after].map((one) => expectedList(one, 'posts', query));
    let moved = 0;
    for (const gone of createMoved(() => true).names) {
      const { store, asked } = createMoved((name) => name !== gone);
      const text = textOf(await answerList(store, 'posts', ask(raw)));
      expect(text).toBe(asked.length === 1 ? oldText : freshText);
      if (asked.length > 1) moved += 1;
      expect(asked).toEqual(asked.length === 1 ? [false] : [false, true]);
    }
    expect(moved).toBeGreaterThan(10);
  });

  test('reads of records do so too', async () => {
    const { store, asked } = createMoved(() => false);
    const id = after.posts[0]?.id ?? '';
    expect(
      textOf(
        await answerRecord(store, 'posts', { key: { column: 'id', value: id }, rawQuery: '' }),
      ),
    ).toContain(id);
    expect(asked).toEqual([false, true]);
  });

  test('other failures are not tried again', async () => {
    let asked = 0;
    const { root } = packOdd(before, { levels: SMALL_LEVELS, max: 10 });
    const store = createTreeStore({
      bytesMax: 0,
      readRoot: async () => {
        asked += 1;
        return root;
      },
      readBlob: () => Promise.reject(new Error('the disk is gone')),
    });
    await expect(answerList(store, 'posts', ask(''))).rejects.toThrow('the disk is gone');
    await expect(answerList(store, 'posts', ask('limit=-1'))).rejects.toMatchObject({
      status: 422,
    });
    expect(asked).toBe(2);
  });

  test('a tree of another format is refused', async () => {
    const { root, blobs } = packOdd(before, { levels: SMALL_LEVELS, max: 10 });
    const store = storeOf({ blobs, root: { ...root, format: root.format + 1 } as Root });
    await expect(answerList(store, 'posts', ask(''))).rejects.toThrow('another format');
  });
});

test('an invalid query reads no blob', async () => {
  const { root } = packOdd(before, { levels: SMALL_LEVELS, max: 10 });
  const store = createTreeStore({
    bytesMax: 0,
    readRoot: async () => root,
    readBlob: () => Promise.reject(new Error('read')),
  });
  for (const raw of ['page=x', 'filter=colour:red', 'filter=(', 'formats=pdf', 'order=;']) {
    const thrown = await answerList(store, 'posts', ask(raw)).catch((error: unknown) => error);
    expect(isQueryProblem(thrown), raw).toBe(true);
  }
});

describe('few reads', () => {
  const publication = makeOddPublication(createRandom(3), 400);
  const packed = packOdd(publication, { levels: LEVELS, max: 1_000 });
  const slug = String(publication.tags[0]?.slug);
  const id = String(publication.posts[200]?.id);
  const small = packOdd(publication, { levels: SMALL_LEVELS, max: 1_000 });
  const count = async (raw: string, { root, blobs } = packed): Promise<number> => {
    let reads = 0;
    const store = createTreeStore({
      bytesMax: 1_000_000,
      readRoot: async () => root,
      readBlob: async (name) => {
        reads += 1;
        return blobs.all.get(name) ?? null;
      },
    });
    await answerList(store, 'posts', ask(raw));
    return reads;
  };

  test.each([
    ['a page of fields', 'fields=slug&limit=5', 2],
    ['the post before a time', "limit=1&filter=published_at:<'2025-06-01'", 4],
    ['a record by id', `filter=id:${id}`, 4],
    ['a page past the end', 'page=1000&limit=5', 0],
    ['a tag', `fields=slug&limit=1&filter=tag:${slug}`, 6],
  ])('%s takes few', async (_what, raw, most) => {
    expect(await count(raw)).toBeLessThanOrEqual(most);
  });

  test('bounds of times look at no columns, however many there are', async () => {
    const raw = "limit=2&filter=published_at:<'2025-06-01'%2Bpublished_at:>2024";
    expect(await count(raw, small)).toBeLessThanOrEqual(10);
  });

  test('a condition beside them looks at columns of the window only', async () => {
    const wide = await count('limit=1&filter=featured:true', small);
    const narrow = await count("limit=1&filter=featured:true%2Bpublished_at:<'2024-03-01'", small);
    expect(narrow).toBeLessThan(wide / 2);
  });
});
