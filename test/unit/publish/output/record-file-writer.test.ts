// Nothing is written under a name that no record's file has, whatever was written before.
import { existsSync, readdirSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { expect, test } from 'vitest';
import { createRecordFileWriter } from '../../../../src/publish/output/session/record-file-writer.ts';
import { temporaryFolder } from '../../../helpers/temporary-folder.ts';

const ID = '0123456789abcdef01234567';
const BYTES = Buffer.from('{}');

test.each([
  ['in a folder above', 'posts/../../x/index.json'],
  ['in a folder that its record has, by another name', `posts/${ID}/Other.json`],
  ['in a folder that its record has, by the name of none', `posts/${ID}/..`],
  ['where a list stands', 'posts/index.json'],
])('a file %s is not written, however often it is asked for', (_where, name) => {
  const folder = temporaryFolder();
  const tree = join(folder, 'site/content/tree');
  const writer = createRecordFileWriter({ kind: 'fresh', tree, encodings: [] }, 'a');
  writer.put([`posts/${ID}`, 'posts/slug/a'], 'index.json', BYTES);
  for (let time = 0; time < 2; time += 1) {
    expect(() => writer.put([dirname(name)], basename(name), BYTES)).toThrow(
      'is no name of a record',
    );
  }
  expect(readdirSync(join(tree, 'posts'))).toEqual([ID, 'slug']);
  expect(readdirSync(join(tree, `posts/${ID}`))).toEqual(['index.json']);
  expect(existsSync(join(folder, 'site/x'))).toBe(false);
});
