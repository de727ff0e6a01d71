// How many files a large publication is, where a host is given the packed tree alone: counted, with what a day of publishes
// leaves for readers under way.
import { expect, test } from 'vitest';
import type { PackedRecord } from '../../../../src/content/tree/records.ts';
import { LEVELS } from '../../../../src/publish/packed/boundaries.ts';
import { editCollection } from '../../../../src/publish/packed/edit-collection.ts';
import { CollectionPacker } from '../../../../src/publish/packed/pack-collection.ts';
import { createMemoryBlobs } from '../../../helpers/memory-blobs.ts';

const POSTS = 100_000;
const PUBLISHES = 200;
/** Of Cloudflare's free plan. */
const FILES_MAX = 20_000;
/** Root, settings, search files, error bodies, the summary, and records of tags and authors. */
const OTHERS = 30;
/** A publish changes how many posts its tags and authors have. */
const COUNTS = 2;

const TERMS = Array.from({ length: 20 }, (_, at) => `64a1${String(at).padStart(20, '0')}`);

/** As Ghost counts its ids up: a time, and what tells records of a second apart. */
const idOf = (at: number): string => {
  const mixed = (at * 2_654_435_761) % 2 ** 32;
  return `${(0x60000000 + at * 97).toString(16)}${mixed.toString(16).padStart(16, '0')}`;
};

const recordOf = (at: number): PackedRecord => {
  const id = idOf(at);
  const title = `Post ${(at * 7_919) % POSTS}`;
  const line = Buffer.from(JSON.stringify({ id, title, html: '<p>Text</p>' }));
  return {
    id,
    ms: 1_500_000_000_000 + at * 60_000,
    created: 0,
    updated: at,
    flags: 0,
    title,
    slug: `${title.toLowerCase().replace(' ', '-')}-${at}`,
    uuid: id,
    tags: [TERMS[at % 17] ?? ''],
    authors: [TERMS[17 + (at % 3)] ?? ''],
    line,
    card: line,
    plain: Buffer.from('"Text"'),
  };
};

test('100,000 posts and 200 publishes of a day are under 20,000 files', {
  timeout: 300_000,
}, () => {
  const blobs = createMemoryBlobs();
  const packer = new CollectionPacker(blobs, LEVELS);
  for (let at = 0; at < POSTS; at += 1) packer.add(recordOf(at));
  let collection = packer.finish();
  const packed = blobs.alive.size;
  const written = new Set(blobs.alive);
  for (let at = POSTS; at < POSTS + PUBLISHES; at += 1) {
    const edits = [{ before: null, after: recordOf(at) }];
    collection = editCollection({ blobs, levels: LEVELS }, collection, edits);
    for (const name of blobs.alive) written.add(name);
  }
  const earlier = written.size - blobs.alive.size;
  console.log(`${packed} blobs; after ${PUBLISHES} publishes ${earlier} earlier ones are kept`);
  expect(packed).toBeGreaterThan(POSTS / 8);
  expect(written.size + PUBLISHES * COUNTS + OTHERS).toBeLessThan(FILES_MAX);
});
