// Each column takes values that no editor writes; test/battery/odd-columns.long.test.ts tries more of them. The build ends,
// its tree is that of a clean build of the same database, and when the rows are mended the first tree is there again.
import { rmSync } from 'node:fs';
import { join } from 'node:path';
import { beforeAll, describe, expect, test } from 'vitest';
import {
  FEW_ODD_VALUES,
  fillForOddColumns,
  mendOdd,
  ODD_VALUES,
  type OddCell,
  setOdd,
} from '../../../helpers/odd-columns.ts';
import { openPublication, type Publication } from '../../../helpers/publication.ts';
import { suiteFolder } from '../../../helpers/suite-folder.ts';
import { buildInto, publishWith, readTree } from '../../../helpers/tree.ts';

let site: Publication;
let cells: readonly OddCell[] = [];
let before = new Map<string, string>();

const publish = async (options = {}): Promise<Map<string, string>> => {
  const folder = join(site.folder, 'tree');
  await publishWith(buildInto, site.store, [folder, options]);
  return readTree(join(folder, 'content'));
};

beforeAll(async () => {
  const suite = suiteFolder();
  const opened = await openPublication(suite.path);
  site = opened;
  cells = fillForOddColumns(site.shell);
  before = await publish();
  return async () => {
    await opened.close();
    suite.remove();
  };
});

const cleanTree = async (): Promise<Map<string, string>> => {
  const folder = join(site.folder, 'clean');
  await buildInto(site.store, folder);
  const files = readTree(join(folder, 'content'));
  rmSync(folder, { recursive: true });
  return files;
};

const namesOfDiffering = (one: Map<string, string>, other: Map<string, string>): string[] =>
  [...new Set([...one.keys(), ...other.keys()])].filter(
    (name) => one.get(name) !== other.get(name),
  );

const setAside = (): string[] =>
  site.shell.prepare("SELECT entity || ' ' || problems FROM set_aside").pluck().all() as string[];

const expectBuilt = async (): Promise<void> => {
  const odd = await publish();
  expect(namesOfDiffering(odd, await cleanTree())).toEqual([]);
  const aside = setAside();
  if (aside.length === 0) return;
  // Rendered again and judged again, with the same result.
  expect(namesOfDiffering(await publish({ full: true }), odd)).toEqual([]);
  expect(setAside()).toEqual(aside);
};

describe('each column', () => {
  test.each(FEW_ODD_VALUES)('takes %s', async (name) => {
    setOdd(site.shell, cells, ODD_VALUES[name]);
    try {
      await expectBuilt();
    } finally {
      mendOdd(site.shell, cells);
    }
    expect(namesOfDiffering(await publish(), before)).toEqual([]);
    expect(setAside()).toEqual([]);
  });
});

const setZone = (sql: string): void => {
  site.shell.exec(`INSERT INTO settings (id, key, value, created_at) VALUES ('z', 'timezone', ${sql}, '2026-01-01')
    ON CONFLICT (key) DO UPDATE SET value = excluded.value`);
};

describe('the timezone', () => {
  test('may be stored as the bytes of a zone', async () => {
    setZone("CAST('Asia/Tokyo' AS BLOB)");
    expect((await publish()).get('settings/index.json')).toContain('"timezone":"Asia/Tokyo"');
    setZone("x''");
    expect(namesOfDiffering(await publish(), before)).toEqual([]);
  });

  test.each([
    ["x'00ff'", '"\\u0000\ufffd" is not a known timezone.'],
    [ODD_VALUES['long text'](), `"${'x'.repeat(100)}" is not a known timezone.`],
    ["'a' || char(27, 155, 8238)", '"a\\u001b\\u009b\\u202e" is not a known timezone.'],
  ])('is quoted, short and without controls where it is none: %s', async (sql, message) => {
    setZone(sql);
    await expect(publish()).rejects.toMatchObject({ code: 'TIMEZONE_UNKNOWN', message });
    setZone("''");
  });
});
