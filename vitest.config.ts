// All tests by project. `npm test` takes `sharing` and `alone`, `npm run check` also `hosts`, `battery` and, where what a page
// is made of has changed, `browser`, and `npm run check:all` `long`, too. Most of the time of a small test goes into loading the source, so the files of one
// process share what they loaded (`sharing`); those that put something else in a module's place have a process of their own.
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { defineConfig, mergeConfig } from 'vitest/config';
import { BaseSequencer, type TestSpecification } from 'vitest/node';
import base from './vitest.base.config.ts';

const SHARING = ['unit', 'contract', 'property', 'tidy'] as const;
/** One round of each real server. */
const ROUND = 'test/matrix/one-round.test.ts';
const LONG = 'test/**/*.long.test.ts';

/** What takes longest begins first, so that nothing goes on alone at the end. */
const LONGEST = [
  'document-blocks',
  'postgres-servers',
  'matrix/pictures',
  'random-kill',
  'syscall-kill',
  'disk-faults',
  'end-to-end/',
  'one-round',
];

class LongestFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const rank = ({ moduleId }: TestSpecification): number => {
      const place = LONGEST.findIndex((name) => moduleId.includes(name));
      return place < 0 ? LONGEST.length : place;
    };
    return (await super.sort(files)).sort((one, other) => rank(one) - rank(other));
  }
}

/** Whether it has modules replaced, by itself or by a helper. */
const replacesModules = (path: string): boolean =>
  /vi\.(?:do)?mock\(/i.test(readFileSync(join(import.meta.dirname, path), 'utf8'));

const filesOf = (folder: string): string[] =>
  readdirSync(join(import.meta.dirname, folder), { recursive: true, encoding: 'utf8' })
    .map((name) => `${folder}/${name}`)
    .filter((name) => name.endsWith('.test.ts'));

const replacing = SHARING.flatMap((name) => filesOf(`test/${name}`)).filter(replacesModules);

/** Those that open pages in Chromium. */
const inBrowser = ['end-to-end', 'matrix', 'battery']
  .flatMap((name) => filesOf(`test/${name}`))
  .filter((path) => !path.endsWith('.long.test.ts'))
  .filter((path) =>
    /helpers\/(?:chromium|desk-browser)\.ts/.test(
      readFileSync(join(import.meta.dirname, path), 'utf8'),
    ),
  );

/** The pages are of the bundle, which no test imports: with `--changed`, these have all tests run. */
const BUNDLED = ['src/{content,pages,publication/documents,serve}', 'content', 'packaging'];

/** Those that run once more with their publications in PostgreSQL. */
const ON_POSTGRES = [
  'unit/publication/{store,import,follow}',
  'unit/serve/{admin,server}',
  'unit/publish/{cycle,webhooks}',
  'property/{incremental-equals-full,following}',
  'contract/admin-',
];

/** What these ask is true of a file of SQLite alone, such as what follows when it is replaced or its tables altered. */
const OF_FILES =
  /altered-schema|backup|damaged-index|keys-plan|log-size|long-lists|publication-mark|read-only-disk|reading-time|replaced-file|no-early-writes/;

type Files = { readonly include: string[]; readonly exclude?: string[] };

const project = (name: string, { include, exclude = [LONG] }: Files, isolate = true) => ({
  // Not this file, whose set-up of a whole run each project would repeat.
  extends: './vitest.base.config.ts',
  test: { name, include, exclude, isolate },
});

const postgres = project(
  'postgres',
  {
    include: ON_POSTGRES.flatMap((start) => [
      `test/${start}*.test.ts`,
      `test/${start}*/**/*.test.ts`,
    ]),
    exclude: [
      LONG,
      ...replacing,
      ...SHARING.flatMap((name) => filesOf(`test/${name}`)).filter((path) => OF_FILES.test(path)),
    ],
  },
  false,
);

export default mergeConfig(
  base,
  defineConfig({
    test: {
      globalSetup: ['test/global-setup.ts'],
      sequence: { sequencer: LongestFirst },
      forceRerunTriggers: [
        'package.json',
        'vitest*.ts',
        ...BUNDLED.map((path) => `${path}/**`),
      ].map((path) => `**/${path}`),
      projects: [
        project(
          'sharing',
          {
            include: [`test/{${SHARING.join(',')}}/**/*.test.ts`],
            exclude: [LONG, ...replacing],
          },
          false,
        ),
        project('alone', {
          include: ['test/end-to-end/**/*.test.ts', ...replacing, ROUND],
          exclude: [LONG, ...inBrowser],
        }),
        project('hosts', {
          include: ['test/matrix/*.test.ts'],
          exclude: [LONG, ROUND, ...inBrowser],
        }),
        project('battery', {
          include: ['test/{battery,failure}/**/*.test.ts'],
          exclude: [LONG, ...inBrowser],
        }),
        project('browser', { include: inBrowser }),
        {
          ...postgres,
          test: {
            ...postgres.test,
            globalSetup: ['test/postgres/global-setup.ts'],
            setupFiles: ['test/postgres/setup.ts'],
          },
        },
        project('long', { include: [LONG], exclude: [] }),
      ],
    },
  }),
);
