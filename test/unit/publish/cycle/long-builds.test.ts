// Builds of long bodies leave the server's thread.
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { isLongBuild } from '../../../../src/publish/build/long-build.ts';
import { publishOnce } from '../../../../src/publish/cycle/publish-once.ts';
import { createPublishingSite } from '../../../helpers/publishing-site.ts';

const KIB = 1024;
const touched = { posts: new Set(['a']), pages: new Set<string>(), tags: new Set<string>() };
const plan = {
  kind: 'incremental',
  settings: false,
  queries: false,
  touched: { ...touched, authors: new Set<string>() },
} as const;

test.each([
  ['a body of 256 KiB', [256 * KIB], {}, false],
  ['a longer one', [256 * KIB + 1], {}, true],
  ['bodies of 1 MiB together', Array(32).fill(32 * KIB), {}, false],
  ['longer ones', Array(32).fill(32 * KIB + 1), {}, true],
  ['many short ones, rendered a few at a time', Array(500).fill(KIB), {}, false],
  ['a blob of 2 MiB', [], { blobBytes: 2 * KIB * KIB }, false],
  ['a longer one, which an edit writes again', [], { blobBytes: 2 * KIB * KIB + 1 }, true],
  ['a long list', [], { fileBytes: 16 * KIB * KIB + 1 }, true],
])('%s', async (_, bodies, longest, isLong) => {
  const snapshot = { longestBodies: () => bodies };
  const manifest = { longest: () => ({ blobBytes: 0, fileBytes: 0, ...longest }) };
  expect(await isLongBuild({ plan, snapshot, manifest })).toBe(isLong);
  const nothing = { ...plan, touched: { ...plan.touched, posts: new Set<string>() } };
  expect(await isLongBuild({ plan: nothing, snapshot, manifest })).toBe(false);
});

/** A thread that says what it was told, in place of a build. */
const TELLING = `
import { parentPort } from 'node:worker_threads';
parentPort.on('message', ({ kind }) => parentPort.postMessage(kind !== 'run' ? { answer: null } : {
  failed: { own: { code: 'SITE_URL_INVALID' }, message: 'told', facts: {}, cause: null },
}));
parentPort.postMessage({ answer: null });
`;

test('a server has a thread build what is long, and builds the rest itself', async () => {
  const { deps, folder, insert, shell } = await createPublishingSite();
  const buildWorkerFile = join(folder, 'telling.mjs');
  writeFileSync(buildWorkerFile, TELLING);
  const told = { ...deps, buildWorkerFile };
  const published = { status: 'published', published_at: '2026-01-01T00:00:00.000Z' };
  insert('posts', { ...published, slug: 'short', html: '<p>x</p>' });
  expect((await publishOnce(told, { isServer: true })).records).toBe(1);
  insert('posts', { ...published, slug: 'long', html: `<p>${'word '.repeat(60_000)}</p>` });
  await expect(publishOnce(told, { isServer: true })).rejects.toMatchObject({
    code: 'SITE_URL_INVALID',
    message: 'told',
  });
  // Nobody waits for a command.
  expect((await publishOnce(told)).records).toBe(1);
  shell.exec("UPDATE posts SET title = 'T' WHERE slug = 'short'");
  expect((await publishOnce(told, { isServer: true })).records).toBe(1);
});
