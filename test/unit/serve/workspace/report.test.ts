import { closeSync, fsyncSync, openSync, readFileSync, writeSync } from 'node:fs';
import { join } from 'node:path';
import { expect, onTestFinished, test, vi } from 'vitest';
import { PrepressError } from '../../../../src/base/errors.ts';
import { createReport, reportError } from '../../../../src/serve/workspace/report.ts';
import { temporaryFolder } from '../../../helpers/temporary-folder.ts';

const said = (error: unknown): { code: number; text: string } => {
  const lines: string[] = [];
  const write = vi.spyOn(process.stderr, 'write').mockImplementation((line) => {
    lines.push(String(line));
    return true;
  });
  try {
    return {
      code: reportError(error, { json: false, command: 'keys create' }),
      text: lines.join(''),
    };
  } finally {
    write.mockRestore();
  }
};

const thrownBy = (work: () => unknown): unknown => {
  try {
    work();
  } catch (error) {
    return error;
  }
  throw new Error('It did not fail.');
};

test('a usage that is not understood names the command whose options are listed', () => {
  const { code, text } = said(new PrepressError('USAGE', 'Nothing is named.'));
  expect([code, text]).toEqual([
    2,
    'prepress: Nothing is named.\nSee prepress keys create --help.\n',
  ]);
});

test('a call of the system that failed is one sentence, with its path or without', () => {
  const absent = join(temporaryFolder(), 'absent');
  expect(said(thrownBy(() => readFileSync(absent)))).toEqual({
    code: 1,
    text: expect.stringContaining(
      `prepress: A file cannot be read or written: no such file or directory at open of ${absent} (ENOENT).\n`,
    ),
  });
  const closed = openSync(temporaryFolder(), 'r');
  closeSync(closed);
  for (const work of [() => writeSync(closed, 'x'), () => fsyncSync(closed)]) {
    expect(said(thrownBy(work)).text).toMatch(
      /^prepress: A file .* written: bad file descriptor at (?:write|fsync) \(EBADF\)\.\nCheck .*\n$/,
    );
  }
});

test('a working folder that was removed is called so', () => {
  const error = Object.assign(new Error('ENOENT'), { code: 'ENOENT', syscall: 'uv_cwd' });
  expect(said(error).text).toMatch(/^prepress: The working folder is gone\.\n/);
});

const printingFails = (code: string): void => {
  const failed = Object.assign(new Error(code), { code, syscall: 'write' });
  const write = vi.spyOn(process.stdout, 'write').mockImplementation((...given) => {
    const done = given.at(-1) as unknown as (error: Error | null) => void;
    queueMicrotask(() => done(given[0] === '' ? null : failed));
    return false;
  });
  onTestFinished(() => write.mockRestore());
};

test('what could not be printed is an error at the end, and only there', async () => {
  printingFails('ENOSPC');
  const report = createReport({ json: false });
  report.print('Built.');
  await expect(report.finish()).rejects.toMatchObject({
    code: 'FILE_FAILED',
    message: 'The report could not be printed: the disk was full or out of inodes (ENOSPC).',
  });
});

test('a reader that has seen enough is no error', async () => {
  printingFails('EPIPE');
  const report = createReport({ json: true });
  report.data({ records: 1 });
  await report.finish();
});

test('what a terminal obeys is shown escaped, in reports, errors and details', () => {
  const name = 'a\u001b[2Jb\nc\u202ed\u0085\ud800';
  const escaped = 'a\\u001b[2Jb\\nc\\u202ed\\u0085\\ud800';
  const lines: string[] = [];
  const write = vi.spyOn(process.stdout, 'write').mockImplementation((line) => {
    lines.push(String(line));
    return true;
  });
  createReport({ json: false }).print(`Note: ${name} stays, 😀 too.`);
  write.mockRestore();
  expect(lines).toEqual([`Note: ${escaped} stays, 😀 too.\n`]);
  const details = [{ id: name }];
  expect(said(new PrepressError('NOT_FOUND', `No ${name}.`, { details })).text).toBe(
    `prepress: No ${escaped}.\n  ${escaped}\n`,
  );
  expect(said(new Error(name)).text).toMatch(/^prepress: Something went wrong\.\nError: a\\u001b/);
});
