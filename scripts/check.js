// `npm run check` and `npm run check:all`: one step after another, all of them also after a failure; the last line counts
// the tests. `node scripts/check.js [--all] [--tested REPORT]`: with --tested, `npm test` has run and left that report.
import { execFileSync, spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { countResults, readReport } from './check-results.js';
import { installNode, installOthers } from './check-tools.js';

const ROOT = join(import.meta.dirname, '..');
const VITEST = ['npx', 'vitest', 'run'];
const projects = (...names) => names.flatMap((name) => ['--project', name]);

/** `report`: how its tests count. `environment` is asked for when the step begins, since it may install something. */
const BEFORE = [
  { name: 'lint', command: ['npm', 'run', 'lint'] },
  { name: 'types', command: ['npm', 'run', 'types'] },
];
const TEST = { name: 'npm test', command: ['npm', 'test', '--'], report: 'once' };

const onNode = (version, ...tests) => ({
  name: `tests on Node.js ${version}`,
  command: [...VITEST, ...projects('sharing', 'alone'), ...tests],
  report: 'again',
  environment: () => installNode(version),
});

/** The newest commit that is older than a day; empty where none is known, as in a clone of one commit. */
const findYesterday = () =>
  execFileSync('git', ['rev-list', '-1', '--before=1 day ago', 'HEAD'], {
    cwd: ROOT,
    encoding: 'utf8',
  }).trim();

/** Tests in a browser run where they, or what their pages are made of, have changed since. */
const inBrowser = (revision = findYesterday()) => ({
  name: 'browser',
  command: [
    ...VITEST,
    ...projects('browser'),
    ...(revision === '' ? [] : ['--changed', revision, '--passWithNoTests']),
  ],
  report: 'once',
});

/** With their publications in PostgreSQL. */
const onPostgres = (...tests) => ({
  name: 'tests on PostgreSQL',
  command: [...VITEST, ...projects('postgres'), ...tests],
  report: 'again',
});

const CHECK = [
  {
    name: 'hosts and battery',
    command: [...VITEST, ...projects('hosts', 'battery')],
    report: 'once',
  },
  inBrowser(),
  onNode('24.21.0', 'test/contract'),
  onPostgres(
    'store/change-log',
    'follow/sync-once',
    'import/conflicts',
    'cycle/set-aside-rows',
    'server/members-bulk',
  ),
  {
    name: 'sabotage',
    command: ['npm', 'run', 'sabotage', '--', '--changed', '--seconds', '120'],
  },
];

const LONG = [
  {
    name: 'hosts, battery, browser and long tests',
    command: [...VITEST, ...projects('hosts', 'battery', 'browser', 'long')],
    report: 'once',
    environment: () => ({ ...installOthers(), PREPRESS_BATTERY: 'long' }),
  },
  ...['22.23.3', '24.21.0', '26.12.1'].map((version) =>
    onNode(version, 'test/unit', 'test/contract', 'test/property'),
  ),
  onPostgres(),
  {
    name: 'generated edits',
    command: [
      ...VITEST,
      'test/property/admin-requests.test.ts',
      'test/property/incremental-equals-full.test.ts',
      'test/property/packed-edits.test.ts',
    ],
    report: 'again',
    environment: () => ({ PREPRESS_TEST_RUNS: '200', PREPRESS_TEST_REQUESTS: '20000' }),
  },
  { name: 'sabotage', command: ['npm', 'run', 'sabotage'] },
  { name: 'bench', command: ['npm', 'run', 'bench', '--', '--ci'] },
];

const reporters = (file) => ['--reporter=default', '--reporter=json', `--outputFile.json=${file}`];

/** Whether it succeeded. */
const run = ({ name, command, report, environment = () => ({}) }, file) => {
  const [program, ...args] = command;
  console.log(`== ${name}`);
  try {
    const { status } = spawnSync(program, [...args, ...(report ? reporters(file) : [])], {
      cwd: ROOT,
      env: { ...process.env, ...environment() },
      stdio: 'inherit',
    });
    return status === 0;
  } catch (error) {
    console.error(error);
    return false;
  }
};

const { values } = parseArgs({
  options: { all: { type: 'boolean', default: false }, tested: { type: 'string' } },
});
const steps = [
  ...BEFORE,
  ...(values.tested === undefined ? [TEST] : []),
  ...(values.all ? LONG : CHECK),
];
const folder = mkdtempSync(join(tmpdir(), 'prepress-check-'));
const failedSteps = [];
const reports = { once: values.tested === undefined ? [] : [values.tested], again: [] };
for (const [at, step] of steps.entries()) {
  const file = join(folder, `${at}.json`);
  if (step.report) reports[step.report].push(file);
  const started = performance.now();
  if (!run(step, file)) failedSteps.push(step.name);
  console.log(`== ${step.name}: ${Math.round((performance.now() - started) / 1000)} s`);
}
const { lines, isPassed } = countResults({
  reports: reports.once.map(readReport),
  again: reports.again.map(readReport),
  failedSteps,
});
rmSync(folder, { recursive: true });
for (const line of lines) console.log(line);
process.exitCode = isPassed ? 0 : 1;
