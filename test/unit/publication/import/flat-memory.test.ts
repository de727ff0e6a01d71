import { execFileSync } from 'node:child_process';
import { createWriteStream } from 'node:fs';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { readExportFile } from '../../../../src/publication/sources/ghost-export/export-file.ts';
import { openStage } from '../../../../src/publication/store/import/import-stage.ts';
import { temporaryFolder } from '../../../helpers/temporary-folder.ts';

test('rows are handed out while the rest of the file is still to come', async ({ skip }) => {
  skip(process.platform === 'win32', 'needs named pipes');
  const pipe = join(temporaryFolder(), 'pipe');
  execFileSync('mkfifo', [pipe]);
  const input = createWriteStream(pipe);
  const rows: unknown[] = [];
  const read = async (whenRow: () => void): Promise<void> => {
    for await (const part of readExportFile(pipe, { version: null, tables: new Set() })) {
      rows.push(...part.rows);
      if (rows.length > 0) whenRow();
    }
  };
  const firstRow = new Promise<void>((resolve) => {
    const reading = read(resolve);
    onTestFinished(() => reading);
  });
  input.write('{"meta":{"version":"6.0.0"},"data":{"posts":[{"id":"1"},{"id":');
  await firstRow;
  expect(rows).toEqual([{ id: '1' }]);
  input.end('"2"}]}}');
});

test('staged rows come back in batches of bounded size, in the order of the file', () => {
  const stage = openStage();
  onTestFinished(() => stage.close());
  const long = 'x'.repeat(300_000);
  for (let index = 0; index < 20; index += 1) {
    const row = JSON.stringify(index < 10 ? long : index);
    stage.add('posts', { id: `p${index}`, keys: [`slug-${index}`], references: [], row });
  }
  stage.finish();
  const batches = [...stage.rows('posts')];
  expect(batches.map((batch) => batch.length)).toEqual([4, 4, 12]);
  expect(batches.flat().map(({ id }) => id)).toEqual(
    Array.from({ length: 20 }, (_, index) => `p${index}`),
  );
});
