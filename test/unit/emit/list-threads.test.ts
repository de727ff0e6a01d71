import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { ListScript } from '../../../src/emit/list-job.ts';
import { openListThreads } from '../../../src/emit/list-threads.ts';
import { temporaryFolder } from '../../helpers/temporary-folder.ts';

const WORKER = join(import.meta.dirname, '../../../dist/list-worker.js');
const skip = existsSync(WORKER) ? false : 'dist/list-worker.js is absent: npm run bundle makes it';

const scriptIn = (folder: string, name: string, source: string): ListScript => {
  const script = new ListScript(join(folder, name));
  script.append(Buffer.from('['));
  script.copy({ file: join(folder, source), start: 1, end: 2_300_001 });
  script.append(Buffer.from(`,"${name}"]`));
  return script;
};

test.skipIf(skip)('threads write what one thread writes', async () => {
  const folder = temporaryFolder();
  writeFileSync(join(folder, 'old'), 'abc'.repeat(800_000));
  const write = async (label: string, workerFile: string | null) => {
    const threads = openListThreads({ bytes: 1, files: 5 }, { workerFile, bytesMin: 0 });
    const jobs = [1, 2, 3, 4, 5].map((at) => scriptIn(folder, `${label}${at}`, 'old').finish());
    const files = await Promise.all(jobs.map(threads.write));
    await threads.close();
    return files;
  };
  const threaded = await write('a', WORKER);
  const single = await write('a-', null);
  for (const [at, file] of threaded.entries()) {
    expect(file.temporary).toBe(join(folder, `a${at + 1}`));
    expect(readFileSync(file.temporary)).toHaveLength(file.size);
    expect(readFileSync(file.temporary, 'utf8').replace(/"a(\d)"/, '"a-$1"')).toBe(
      readFileSync(single[at]?.temporary ?? '', 'utf8'),
    );
    expect(Buffer.isBuffer(file.sha256)).toBe(true);
    expect(file.stamp).toMatch(/^\d+-\d+-\d+$/);
  }
});

test.skipIf(skip)('a thread that cannot read or write fails the write with the code', async () => {
  const folder = temporaryFolder();
  const threads = openListThreads({ bytes: 1, files: 1 }, { workerFile: WORKER, bytesMin: 0 });
  const jobs = [scriptIn(folder, 'new', 'absent').finish()];
  await expect(Promise.all(jobs.map(threads.write))).rejects.toMatchObject({
    code: 'ENOENT',
    syscall: 'open',
  });
  await threads.close();
});
