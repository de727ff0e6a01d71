import { expect, test } from 'vitest';
import { printMissingPictures } from '../../../../src/serve/workspace/missing-pictures.ts';
import type { Report } from '../../../../src/serve/workspace/report.ts';

test('of many missing files, the first are named and the others counted', () => {
  const lines: string[] = [];
  const report = { print: (line: string) => lines.push(line) } as unknown as Report;
  printMissingPictures(report, ['a', 'b', 'c', 'd', 'e', 'f', 'g']);
  expect(lines[0]).toContain(
    'missing files: content/a, content/b, content/c, content/d, content/e and 2 more.',
  );
});
