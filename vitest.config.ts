// Any test file by its name; `npm test` takes all projects but `long`. Most of the time of a small test goes
// into loading the source, so the files of one process share what they loaded; those that put something else in a
// module's place have a process of their own. `long` is what is left to the battery's run.
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { defineConfig, mergeConfig } from 'vitest/config';
import base from './vitest.base.config.ts';

const SHARING = ['unit', 'contract', 'property', 'tidy'] as const;
/** A quarter of the time of all files of `unit`: `npm run test:fast` leaves them out. */
const SLOW = [
  'test/unit/builder/{set-aside,run-build,precompress,odd-columns}.test.ts',
  'test/unit/publisher/server-settings.test.ts',
];
const LONG = ['test/{battery,failure,matrix}/**', 'test/**/*.long.test.ts'];

/** Whether it has modules replaced, by itself or by a helper. */
const replacesModules = (path: string): boolean =>
  /vi\.(?:do)?mock\(/i.test(readFileSync(join(import.meta.dirname, path), 'utf8'));

const filesOf = (folder: string): string[] =>
  readdirSync(join(import.meta.dirname, folder), { recursive: true, encoding: 'utf8' })
    .map((name) => `${folder}/${name}`)
    .filter((name) => name.endsWith('.test.ts'));

const alone = SHARING.flatMap((name) => filesOf(`test/${name}`)).filter(replacesModules);

const project = (
  name: string,
  files: { include: string[]; exclude: string[] },
  isolate = true,
) => ({
  // Not this file, whose set-up of a whole run each project would repeat.
  extends: './vitest.base.config.ts',
  test: { name, ...files, isolate },
});

export default mergeConfig(
  base,
  defineConfig({
    test: {
      globalSetup: ['test/global-setup.ts'],
      projects: [
        project(
          'sharing',
          {
            include: [`test/{${SHARING.join(',')}}/**/*.test.ts`],
            exclude: [...LONG, ...SLOW, ...alone],
          },
          false,
        ),
        project('slow', { include: SLOW, exclude: [] }, false),
        project('alone', {
          include: ['test/end-to-end/**/*.test.ts', ...alone],
          exclude: LONG,
        }),
        project('long', {
          include: ['test/{failure,matrix}/**/*.test.ts', 'test/**/*.long.test.ts'],
          exclude: ['test/battery/**'],
        }),
      ],
    },
  }),
);
