// Runs watches, with a sabotage and without, in one Vitest that keeps what it transformed: between two rows only the
// sabotaged sources are read anew. Each run of a watch has a process of its own, whose environment says the sabotage.
import { chmodSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createVitest, type TestModule, type Vitest } from 'vitest/node';
import { applyEdits, EDITS_VARIABLE, SEEN_VARIABLE } from './apply-edits.ts';
import { bundleCommand } from './bundle-command.ts';
import type { TestError, Watched } from './judge.ts';
import { type Edit, editsOf, type Row } from './row.ts';

export type Watch = Pick<Row, 'watch' | 'test'>;

export type Watcher = {
  /** Runs a watch; with a row, on its sabotage. */
  readonly run: (watch: Watch, row?: Row) => Promise<Watched>;
  /** Not of one that is busy, which ends with the process. Its folders are removed as that ends. */
  readonly close: () => Promise<void>;
};

type Asked = { edits: readonly Edit[]; readonly met: Set<string> };

export const createWatcher = async (root: string, config: string): Promise<Watcher> => {
  const scratch = mkdtempSync(join(tmpdir(), 'prepress-sabotage-'));
  const cache = mkdtempSync(join(makeCache(root), 'prepress-sabotage-'));
  const folders = [scratch, cache];
  for (const folder of folders) chmodSync(folder, 0o755);
  process.once('exit', () => {
    for (const folder of folders) rmSync(folder, { recursive: true, force: true });
  });
  const asked: Asked = { edits: [], met: new Set() };
  const vitest = await createVitest(
    'test',
    { root, config: join(root, config), watch: false, run: true, reporters: [SILENT] },
    { plugins: [transformPlugin(root, asked)] },
  );
  const prepare = async (row: Row | undefined) => {
    const edits = row === undefined ? [] : editsOf(row);
    for (const { file } of asked.edits) vitest.invalidateFile(join(root, file));
    asked.edits = row?.inside === undefined ? edits : [];
    for (const { file } of asked.edits) vitest.invalidateFile(join(root, file));
    asked.met.clear();
    const seen = join(scratch, 'seen');
    writeFileSync(seen, '');
    // Some programs run as another user.
    chmodSync(seen, 0o666);
    setVariables({ [EDITS_VARIABLE]: row && JSON.stringify(edits), [SEEN_VARIABLE]: seen });
    // Bundles are kept for a whole run, but the sabotaged ones for that of their row.
    const bundles = join(cache, row === undefined ? 'bundles' : 'sabotaged');
    setVariables({ PREPRESS_TEST_BUNDLES: bundles });
    const command = row?.inside === 'command' ? await bundleCommand(root, edits) : null;
    setVariables({ PREPRESS_TEST_COMMAND: command?.path });
    return {
      isLoaded: () =>
        row === undefined ||
        asked.met.has(row.file) ||
        readFileSync(seen, 'utf8').split('\n').includes(row.file),
      remove: () => {
        command?.remove();
        if (row !== undefined) rmSync(bundles, { recursive: true, force: true });
      },
    };
  };
  return {
    run: async (watch, row) => {
      const { isLoaded, remove } = await prepare(row);
      try {
        return { ...(await runWatch(vitest, root, watch)), isLoaded: isLoaded() };
      } finally {
        remove();
      }
    },
    close: async () => {
      // What sabotaged programs left behind is cleared away, and no failure.
      setVariables({ [EDITS_VARIABLE]: '[]' });
      await vitest.close();
    },
  };
};

/** Inside node_modules, so that bundles find the packages. */
const makeCache = (root: string): string => {
  const cache = join(root, 'node_modules/.cache');
  mkdirSync(cache, { recursive: true });
  return cache;
};

/** What the tests print says nothing about a row. */
const SILENT = {};

const transformPlugin = (root: string, asked: Asked) => ({
  name: 'sabotage',
  enforce: 'pre' as const,
  transform: (code: string, id: string) => {
    const [path] = id.split('?');
    const here = asked.edits.filter(({ file }) => join(root, file) === path);
    for (const { file } of here) asked.met.add(file);
    return here.length === 0 ? null : applyEdits(code, here);
  },
});

const setVariables = (variables: Readonly<Record<string, string | undefined>>): void => {
  for (const [name, value] of Object.entries(variables)) {
    if (value === undefined) delete process.env[name];
    else process.env[name] = value;
  }
};

const runWatch = async (
  vitest: Vitest,
  root: string,
  { watch, test }: Watch,
): Promise<Omit<Watched, 'isLoaded'>> => {
  const project = vitest.getRootProject();
  const specification = project.createSpecification(
    join(root, watch),
    test === undefined ? undefined : { testNamePattern: new RegExp(asPattern(test)) },
  );
  const { testModules, unhandledErrors } = await vitest.runTestSpecifications([specification]);
  const modules = testModules.filter(({ moduleId }) => moduleId === specification.moduleId);
  return {
    ...readTests(modules),
    faults: [...modules.flatMap(faultsOf), ...(unhandledErrors as TestError[])],
  };
};

const asPattern = (text: string): string => text.replace(/[.*+?^${}()|[\]\\]/g, '\\$&');

const readTests = (modules: readonly TestModule[]) => {
  const results = modules
    .flatMap(({ children }) => [...children.allTests()])
    .map((test) => test.result());
  return {
    passed: results.filter(({ state }) => state === 'passed').length,
    failures: results.flatMap(({ errors }) => (errors === undefined ? [] : [errors])),
  };
};

const faultsOf = (module: TestModule): TestError[] => [
  ...module.errors(),
  ...[...module.children.allSuites()].flatMap((suite) => suite.errors()),
];
