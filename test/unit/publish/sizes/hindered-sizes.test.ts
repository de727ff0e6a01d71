// Sizes whose making is hindered: a picture is to blame for what it did alone, and what is made is what its name says.
import { ChildProcess } from 'node:child_process';
import { existsSync, mkdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { setImmediate } from 'node:timers/promises';
import { describe, expect, onTestFinished, test, vi } from 'vitest';
import { openConnection } from '../../../../src/base/sqlite/connection.ts';
import { tryBuildLock } from '../../../../src/publication/store/locks/build-lock.ts';
import { publishOnce } from '../../../../src/publish/cycle/publish-once.ts';
import { describeSizes } from '../../../../src/publish/sizes/make-sizes.ts';
import { indexFileOf, sizesLockOf } from '../../../../src/publish/sizes/sizes-index.ts';
import { eventually } from '../../../helpers/eventually.ts';
import { skipSizes } from '../../../helpers/pictures.ts';
import { createSizesSite, LIVE } from '../../../helpers/sizes-site.ts';

const showing = (...names: string[]) => ({
  ...LIVE,
  html: names.map((name) => `<img src="/content/images/${name}">`).join(''),
});

/** Does as the script says with each request, which is called `message`. */
const putWorker = (folder: string, script: string): string => {
  const file = join(folder, 'worker.mjs');
  const encoded = "{ hash: 'abc', made: { w100: 'ab/abc-w100.jpeg', w300: '' }, faults: {} }";
  writeFileSync(
    file,
    `import { existsSync, mkdirSync, rmSync, writeFileSync } from 'node:fs';
    const answer = () => process.send({ encoded: ${encoded} });
    process.on('message', (message) => { ${script} });
    process.send({ isReady: true });`,
  );
  return file;
};

const FEW = { 'images.sizes': [300] };

describe.skipIf(skipSizes)('hindered sizes', () => {
  test('pictures wait while the process cannot start, and none is to blame', async () => {
    const { insert, folder, deps, put, publish, make, shown } = await createSizesSite();
    await put('a.jpg', 400);
    insert('posts', showing('a.jpg'));
    await publish();
    const problem = expect.stringContaining('cannot start');
    expect(await make(join(folder, 'absent.mjs'))).toEqual({ pictures: 0, placed: 0, problem });
    expect(describeSizes(deps)).toMatchObject({ waiting: 1, problem, faults: [] });
    await make();
    expect(await shown()).toEqual({ 'w100/a.jpg': 100, 'w300/a.jpg': 300 });
    expect(describeSizes(deps)).toMatchObject({ waiting: 0, problem: null, faults: [] });
  });

  test('the program ends also where the process cannot be ended', async () => {
    const { insert, folder, put, publish, make } = await createSizesSite();
    await put('a.jpg', 400);
    insert('posts', showing('a.jpg'));
    await publish();
    const rejected = vi.fn();
    process.on('unhandledRejection', rejected);
    const children: ChildProcess[] = [];
    const kill = vi.spyOn(ChildProcess.prototype, 'kill').mockImplementation(function (
      this: ChildProcess,
    ) {
      children.push(this);
      process.nextTick(() => this.emit('error', new Error('kill EPERM')));
      return false;
    });
    onTestFinished(() => {
      process.off('unhandledRejection', rejected);
      kill.mockRestore();
      for (const child of children) child.kill('SIGKILL');
    });
    const ending = new AbortController();
    const asked = join(folder, 'asked');
    const worker = putWorker(folder, `writeFileSync(${JSON.stringify(asked)}, '');`);
    const making = make(worker, { signal: ending.signal });
    await eventually(() => expect(existsSync(asked)).toBe(true));
    ending.abort();
    await expect(making).rejects.toThrow('aborted');
    await setImmediate();
    expect(kill).toHaveBeenCalledTimes(1);
    expect(rejected).not.toHaveBeenCalled();
  });

  test('a picture that ends the process twice is named, one whose process was ended is not', async () => {
    const { insert, folder, deps, put, publish, make } = await createSizesSite();
    for (const name of ['bad.jpg', 'good.jpg']) await put(name, 400);
    insert('posts', showing('bad.jpg', 'good.jpg'));
    await publish();
    const script = `
      const seen = message.file + '.seen';
      if (message.file.includes('bad') || !existsSync(seen)) {
        writeFileSync(seen, '');
        process.exit();
      }
      answer();`;
    await make(putWorker(folder, script));
    expect(describeSizes(deps).faults).toEqual([
      {
        path: 'images/bad.jpg',
        reason: expect.stringContaining('ended the process'),
        sizes: 'all sizes',
      },
    ]);
  });

  test('a picture that changes or goes meanwhile waits, and nothing of it is kept', async () => {
    const { insert, folder, deps, put, publish, make, encoded, output } = await createSizesSite();
    for (const name of ['gone.jpg', 'new.jpg']) await put(name, 400);
    insert('posts', showing('gone.jpg', 'new.jpg'));
    await publish();
    const script = `
      mkdirSync(message.folder + '/ab', { recursive: true });
      writeFileSync(message.folder + '/ab/abc-w100.jpeg', '');
      rmSync(message.file);
      if (message.file.includes('new')) writeFileSync(message.file, '');
      const failed = { message: 'gone', own: null, cause: null };
      if (message.file.includes('new')) answer();
      else process.send({ failed });`;
    await make(putWorker(folder, script));
    expect(readFileSync(join(output, 'new.jpg'), 'utf8')).toBe('');
    expect(encoded()).toEqual([]);
    expect(describeSizes(deps)).toMatchObject({ waiting: 1, made: 0, faults: [] });
  });

  test('originals that a killed run placed and could not note are replaced', async () => {
    const { insert, deps, put, publish, make, shown } = await createSizesSite();
    await put('a.jpg', 400);
    insert('posts', showing('a.jpg'));
    await publish();
    const index = openConnection(indexFileOf(deps.paths.sizes));
    index.exec('DELETE FROM placed');
    index.close();
    await make();
    expect(await shown()).toEqual({ 'w100/a.jpg': 100, 'w300/a.jpg': 300 });
  });

  test('a lost index makes nothing again', async () => {
    const { insert, deps, put, publish, make, shown, encoded } = await createSizesSite();
    await put('a.jpg', 400);
    insert('posts', showing('a.jpg'));
    await publish();
    await make();
    const listMade = (): number[] =>
      encoded().map((name) => statSync(join(deps.paths.sizes, name)).ino);
    const before = listMade();
    for (const end of ['', '-wal', '-shm']) {
      rmSync(`${indexFileOf(deps.paths.sizes)}${end}`, { force: true });
    }
    await publish();
    expect(await make()).toMatchObject({ pictures: 1 });
    expect(listMade()).toEqual(before);
    expect(await shown()).toEqual({ 'w100/a.jpg': 100, 'w300/a.jpg': 300 });
  });

  test('a sweep leaves the files of a run under way alone', async () => {
    const { insert, deps, set, put, publish, make, encoded } = await createSizesSite();
    await put('a.jpg', 400);
    insert('posts', showing('a.jpg'));
    await publish();
    await make();
    const name = 'ab/abc-w100.jpeg';
    const file = join(deps.paths.sizes, name);
    mkdirSync(dirname(file), { recursive: true });
    writeFileSync(file, '');
    const making = tryBuildLock(sizesLockOf(deps.paths.sizes));
    await publishOnce(set(FEW));
    expect(encoded()).toContain(name);
    making?.release();
    await publishOnce(set({ 'images.sizes': [] }));
    expect(encoded()).toEqual([]);
  });
});
