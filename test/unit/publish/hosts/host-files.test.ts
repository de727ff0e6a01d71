// Files that a host reads: where they are made, and what of a killed run becomes of it.
import {
  closeSync,
  existsSync,
  mkdirSync,
  openSync,
  readFileSync,
  readlinkSync,
  renameSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { dirname, join } from 'node:path';
import { beforeEach, expect, test } from 'vitest';
import { openFileOwners } from '../../../../src/publish/hosts/placing/file-owners.ts';
import {
  listEditedFiles,
  placeHostFiles,
  removeHostFiles,
} from '../../../../src/publish/output/copies/host-files.ts';
import { temporaryFolder } from '../../../helpers/temporary-folder.ts';

let root: string;

const write = (path: string): void => {
  mkdirSync(dirname(join(root, path)), { recursive: true });
  writeFileSync(join(root, path), 'half made');
};
const placeText = (text: string, paths: readonly string[], overwrites = false) =>
  placeHostFiles({
    root,
    content: 'content',
    record: join(root, '../host-files.json'),
    files: paths.map((path) => ({ path, text })),
    overwrites,
  });
const place = (...paths: readonly string[]) => placeText('rules', paths).written;

beforeEach(() => {
  root = join(temporaryFolder(), 'publication', 'output');
});

test('what a killed run left half made goes with the next, though that writes nothing', () => {
  place('_headers', 'content/posts/by-slug/00.json');
  const left = ['.prepress-hosts/1', 'content/.prepress-hosts/1'];
  for (const path of left) write(path);
  expect(place('_headers')).toEqual([]);
  expect(left.filter((path) => existsSync(dirname(join(root, path))))).toEqual([]);
  expect(readFileSync(join(root, '_headers'), 'utf8')).toBe('rules');
});

test('a link that its owner has put in the place of a file stays, wherever it leads', () => {
  place('.htaccess', '_headers');
  const links = [join(root, '.htaccess'), join(root, '_headers')] as const;
  renameSync(links[0], join(root, '../mine'));
  renameSync(links[1], join(root, '../moved'));
  symlinkSync('../mine', links[0]);
  symlinkSync('../absent', links[1]);
  const placed = placeText('newer', ['.htaccess', '_headers']);
  expect(placed).toEqual({ written: [], edited: ['.htaccess', '_headers'] });
  expect(links.map((path) => readlinkSync(path))).toEqual(['../mine', '../absent']);
  expect(listEditedFiles(join(root, '../host-files.json'))).toEqual([...links]);
  placeText('newer', ['.htaccess', '_headers'], true);
  expect(links.map((path) => readFileSync(path, 'utf8'))).toEqual(['newer', 'newer']);
  expect(readFileSync(join(root, '../mine'), 'utf8')).toBe('rules');
});

test('a file that its owner has changed stays until the change is to be taken back', () => {
  const read = (): string => readFileSync(join(root, '.htaccess'), 'utf8');
  place('.htaccess', 'other');
  const record = join(root, '../host-files.json');
  expect(listEditedFiles(record)).toEqual([]);
  writeFileSync(join(root, '.htaccess'), 'rules and more');
  for (const text of ['rules', 'new rules']) {
    const placed = placeText(text, ['.htaccess', 'other']);
    expect(placed.edited).toEqual(['.htaccess']);
    expect(read()).toBe('rules and more');
  }
  expect(listEditedFiles(record)).toEqual([join(root, '.htaccess')]);
  expect(placeText('new rules', ['.htaccess'], true)).toEqual({
    written: ['.htaccess'],
    edited: [],
  });
  expect(read()).toBe('new rules');
  expect(listEditedFiles(record)).toEqual([]);
});

test('a file whose writer was killed before or after it was placed is ours', () => {
  const record = join(root, '../host-files.json');
  place('.htaccess');
  const saved = JSON.parse(readFileSync(record, 'utf8'));
  placeText('new rules', ['.htaccess']);
  const after = JSON.parse(readFileSync(record, 'utf8'));
  const hashes = ({ trees: [tree] }: { trees: { hashes: Record<string, string> }[] }) =>
    tree?.hashes['.htaccess'];
  const [old, fresh] = [saved, after].map((one) => hashes({ trees: Object.values(one.trees) }));
  for (const text of ['rules', 'new rules']) {
    for (const tree of Object.values(after.trees) as { hashes: Record<string, string> }[])
      tree.hashes['.htaccess'] = `${fresh} ${old}`;
    writeFileSync(record, JSON.stringify(after));
    writeFileSync(join(root, '.htaccess'), text);
    expect(placeText('newest', ['.htaccess'])).toEqual({ written: ['.htaccess'], edited: [] });
  }
});

test('a file is replaced, never written in place', () => {
  place('_headers');
  const reader = openSync(join(root, '_headers'), 'r');
  const record = join(root, '../host-files.json');
  placeHostFiles({ root, record, files: [{ path: '_headers', text: 'other rules' }] });
  expect(readFileSync(reader, 'utf8')).toBe('rules');
  closeSync(reader);
  expect(readFileSync(join(root, '_headers'), 'utf8')).toBe('other rules');
});

test('files and their owners are known where the publication was moved to', () => {
  place('_headers', 'rules/one');
  const claimed = { path: join(root, '_headers'), text: 'rules' };
  openFileOwners(dirname(root)).claim('netlify', [claimed]);
  const moved = `${dirname(root)}-moved`;
  renameSync(dirname(root), moved);
  root = join(moved, 'output');
  const record = join(moved, 'host-files.json');
  placeHostFiles({ root, record, files: [{ path: 'rules/one', text: 'others' }] });
  expect(readFileSync(join(root, 'rules/one'), 'utf8')).toBe('others');
  const owners = openFileOwners(moved);
  expect(owners.filesOf('netlify')).toEqual([join(root, '_headers')]);
  const removed = removeHostFiles(record, owners.filesOf('netlify'));
  expect(removed).toEqual({ removed: [join(root, '_headers')], changed: [] });
});

test('a file of two hosts goes with the second of them', () => {
  const path = join(root, 'content/400.json');
  place('content/400.json');
  const owners = openFileOwners(dirname(root));
  for (const host of ['apache', 'vercel']) owners.claim(host, [{ path, text: 'rules' }]);
  expect(owners.filesOf('vercel')).toEqual([]);
  owners.release('vercel');
  expect(owners.filesOf('vercel')).toEqual([]);
  expect(owners.filesOf('apache')).toEqual([path]);
  owners.release('apache');
  expect(owners.others(root, []).size).toBe(0);
});

test('owners of absolute paths are understood', () => {
  const path = join(root, '_headers');
  place('_headers');
  writeFileSync(join(root, '../host-owners.json'), JSON.stringify({ [path]: 'netlify' }));
  expect(openFileOwners(dirname(root)).filesOf('netlify')).toEqual([path]);
});
