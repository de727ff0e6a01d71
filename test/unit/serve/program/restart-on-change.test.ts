import { renameSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, onTestFinished, test, vi } from 'vitest';
import { PrepressError } from '../../../../src/base/errors.ts';
import { restartOnChange } from '../../../../src/serve/program/restart-on-change.ts';
import { watchFolders } from '../../../../src/serve/program/watch-files.ts';
import { loadConfig } from '../../../../src/settings/load.ts';
import { eventually } from '../../../helpers/eventually.ts';
import { temporaryFolder } from '../../../helpers/temporary-folder.ts';

/** A run whose every start and end is written down; port 1 cannot be started with, 2 while another server has not got it. */
const follow = async (changed?: string, first = 4000) => {
  const file = join(temporaryFolder(), 'settings.json');
  writeFileSync(file, JSON.stringify({ port: first }));
  const load = async () => loadConfig({ file, environment: {} });
  const seen: string[] = [];
  const fault = { at: 0, tries: 0 };
  let end = (): void => undefined;
  const ended = new Promise<void>((resolve) => {
    end = resolve;
  });
  const other = { port: 0 };
  const config = await load();
  if (changed !== undefined) writeFileSync(file, changed);
  const running = restartOnChange({
    retryMs: 5,
    lookMs: 5,
    config,
    settingsFile: file,
    reload: load,
    ended,
    start: async ({ port }, { isWaiting }) => {
      if (port === 1) throw new Error('no such port');
      if (port === 2 && other.port !== port) throw new PrepressError('SETTINGS_DIFFER', 'other');
      if (port === fault.at) {
        fault.tries += 1;
        throw new Error('away');
      }
      seen.push(`start ${port}${isWaiting ? ', waiting' : ''}`);
      return {
        fits: async (next) => next.port === other.port,
        close: async () => {
          seen.push(`close ${port}`);
          if (port === 4002) throw new Error('folder away');
        },
      };
    },
    onReloaded: (names) => void seen.push(`reloaded ${names.join()}`),
    onRecovered: () => void seen.push('recovered'),
    onRefused: (error) => void seen.push(`refused: ${(error as Error).message}`),
  });
  const put = (text: string): void => {
    writeFileSync(`${file}.new`, text);
    renameSync(`${file}.new`, file);
  };
  const until = (line: string): Promise<void> =>
    eventually(() => expect(seen.at(-1)).toContain(line));
  return { seen, fault, other, put, until, end, running };
};

test('changed settings start the program again, others leave it alone', async () => {
  const { seen, put, until, end, running } = await follow();
  await until('start 4000');
  // The watcher looks at the folder before it tells of changes, and takes replacements in a row for one.
  await eventually(() => {
    put('{"port": 4001}');
    expect(seen.at(-1)).toBe('reloaded port');
  }, 500);
  put('{"port": 4001, }');
  await until('refused: ');
  put('{"port": 1}');
  await until('start 4001');
  expect(seen.slice(-3)).toEqual(['close 4001', 'refused: no such port', 'start 4001']);
  put('{"port": 4001, "logLevel": "warn"}');
  await until('reloaded logLevel');
  end();
  await running;
  expect(seen.at(-1)).toBe('close 4001');
});

test('a change that came before the file was watched is taken after the start', async () => {
  const { seen, until, end, running } = await follow('{"port": 4001}');
  await until('reloaded port');
  expect(seen).toEqual(['start 4000', 'close 4000', 'start 4001', 'reloaded port']);
  end();
  await running;
});

test('a first start that fails is tried with a file that changed meanwhile', async () => {
  const { seen, until, end, running } = await follow('{"port": 4001}', 1);
  await until('start 4001');
  end();
  await running;
  expect(seen).toEqual(['start 4001', 'close 4001']);
  await expect((await follow(undefined, 1)).running).rejects.toThrow('no such port');
});

test('settings that another server does not have wait until it has them, or they change again', async () => {
  const { seen, other, put, until, end, running } = await follow('{"port": 2}');
  const refused = ['close 4000', 'refused: other', 'start 4000, waiting'];
  await until('waiting');
  put('{"port": 4000}');
  await until('reloaded');
  put('{"port": 2}');
  await until('waiting');
  other.port = 2;
  await until('reloaded port');
  expect(seen).toEqual([
    'start 4000',
    ...refused,
    ...['close 4000', 'start 4000', 'reloaded '],
    ...refused,
    ...['close 4000', 'start 2', 'reloaded port'],
  ]);
  end();
  await running;
});

test('what can be started with neither new nor old settings is started later', async () => {
  const { seen, fault, put, until, end, running } = await follow();
  await until('start 4000');
  fault.at = 4000;
  await eventually(() => {
    put('{"port": 1}');
    expect(seen.at(-1)).toBe('refused: away');
  }, 500);
  await eventually(() => expect(fault.tries).toBeGreaterThan(2));
  fault.at = 0;
  await eventually(() => expect(seen).toContain('recovered'));
  expect(seen.slice(1, seen.indexOf('recovered') + 1)).toEqual([
    'close 4000',
    'refused: no such port',
    'refused: away',
    'start 4000',
    'recovered',
  ]);
  end();
  await running;
  expect(seen.at(-1)).toBe('close 4000');
});

test('a session that cannot be closed well makes way all the same', async () => {
  const { seen, put, until, end, running } = await follow();
  await until('start 4000');
  for (const port of [4002, 4003]) {
    await eventually(() => {
      put(`{"port": ${port}}`);
      expect(seen).toContain(`start ${port}`);
    }, 500);
  }
  await until('reloaded port');
  expect(seen.slice(-4)).toEqual([
    'close 4002',
    'refused: folder away',
    'start 4003',
    'reloaded port',
  ]);
  end();
  await running;
});

test('a change of a folder is told, even one that comes before it is watched', async () => {
  const folder = temporaryFolder();
  const told = vi.fn();
  const watching = watchFolders([join(folder, 'output')], told);
  onTestFinished(watching.close);
  watching.add([folder]);
  // No folder is watched yet when it is written to.
  writeFileSync(join(folder, 'page.njk'), 'one');
  await eventually(() => expect(told).toHaveBeenCalled());
  told.mockClear();
  writeFileSync(join(folder, 'page.njk'), 'two');
  await eventually(() => expect(told).toHaveBeenCalled());
});
