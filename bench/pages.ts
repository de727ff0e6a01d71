// What the pages for readers cost beside Eleventy alone. In each round the program makes all pages of a publication that is
// built, and plain Eleventy renders the same templates to as many files, with the same values from a file of data. The
// pages of both are compared, byte for byte.
import { cpSync, mkdirSync, readdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { createPublication, type Publication } from '../src/pages/eleventy/publication.ts';
import { planSite } from '../src/pages/site/site.ts';
import type { PicturesPlace } from '../src/pages/site/site-pictures.ts';
import { prepress, SITE_URL } from './builds.ts';
import { atMost, type Check, median } from './checks.ts';
import { type Measured, quote, run, settle, shell } from './processes.ts';

export type PagesRound = { readonly ours: Measured; readonly eleventy: Measured };

export type PagesResult = {
  readonly posts: number;
  /** Files that Eleventy alone wrote. */
  readonly files: number;
  readonly bytes: number;
  /** Those that are not the same bytes in our output. */
  readonly different: number;
  readonly rounds: readonly PagesRound[];
};

type PagesInput = {
  readonly posts: number;
  /** Folder of a publication whose content is built. */
  readonly built: string;
  readonly folder: string;
  readonly rounds: number;
};

export const measurePages = async (input: PagesInput): Promise<PagesResult> => {
  const { posts, built, folder } = input;
  const plain = join(folder, 'eleventy');
  makeProject(built, plain);
  const rounds: PagesRound[] = [];
  for (let round = 1; round <= input.rounds; round += 1) {
    const place = join(folder, `pages-${round}`);
    // As a backup is laid back: times are kept, or the build would begin by reading the whole tree.
    mkdirSync(place, { recursive: true });
    await shell(`cp -a ${quote(join(built, 'data'))} ${quote(join(built, 'output'))} .`, place);
    await prepress(place, ['build', '--site-url', SITE_URL], { PREPRESS_SITE: 'false' });
    await settle(place);
    const ours = await durable(place, () =>
      prepress(place, ['build', '--json', '--site-url', SITE_URL], { PREPRESS_SITE: 'true' }),
    );
    await settle(place);
    const eleventy = await durable(plain, () => runEleventy(plain, `output-${round}`));
    rounds.push({ ours, eleventy });
  }
  const facts = compare(join(plain, 'output-1'), join(folder, 'pages-1/output'));
  return { posts, ...facts, rounds };
};

/** Pages cost what Eleventy alone takes for them, and a tenth at most for planning and placing; they are the same bytes. */
export const checkPages = ({ posts, different, rounds }: PagesResult): Check[] => [
  atMost('time', `pages of Eleventy alone, ${posts} posts`, [pagesRatio(rounds), RATIO_MAX]),
  atMost('files', `pages that differ from Eleventy's, ${posts} posts`, [different, 0]),
];

const RATIO_MAX = 1.1;

/** Each round by itself. */
export const pagesRatio = (rounds: readonly PagesRound[]): number =>
  median(rounds.map(({ ours, eleventy }) => ours.seconds / eleventy.seconds));

/** With the time until the disk has all. */
const durable = async (place: string, start: () => Promise<Measured>): Promise<Measured> => {
  const measured = await start();
  const synced = await shell(`sync -f ${quote(place)}`);
  return { ...measured, seconds: measured.seconds + synced.seconds };
};

const WIDTHS = [600, 1_000, 1_600, 2_400];

const configurationOf = (
  pictures: PicturesPlace,
): string => `import { readFileSync } from 'node:fs';
import { siteFunctions } from ${JSON.stringify(join(import.meta.dirname, 'site-functions.js'))};

const publication = JSON.parse(readFileSync('publication.json', 'utf8'));
const { home } = publication.site;
Object.assign(publication.site, siteFunctions(${JSON.stringify(pictures)}, home));

export default (eleventyConfig) => {
  eleventyConfig.setQuietMode(true);
  // No plain object: Eleventy would copy it for each page, which takes many times as long.
  eleventyConfig.addGlobalData('publication', () => Object.assign(Object.create({}), publication));
};
`;

/** A project of Eleventy with our templates, and what they show in a file. */
const makeProject = (built: string, folder: string): void => {
  mkdirSync(folder, { recursive: true });
  cpSync(join(process.cwd(), 'content'), join(folder, 'content'), { recursive: true });
  symlinkSync(join(process.cwd(), 'node_modules'), join(folder, 'node_modules'));
  writeFileSync(join(folder, 'package.json'), '{"type":"module"}');
  writeFileSync(join(folder, 'eleventy.config.js'), configurationOf(picturesOf(built)));
  const { site, settings, basePath, newest, counts, endpoints } = publicationOf(built);
  const shown = { site, settings, basePath, newest, counts, endpoints };
  writeFileSync(join(folder, 'publication.json'), JSON.stringify(shown));
};

const picturesOf = (built: string): PicturesPlace => ({
  folder: join(built, 'output/content'),
  widths: WIDTHS,
});

const publicationOf = (built: string): Publication =>
  createPublication({
    folder: join(built, 'output/content'),
    basePath: '',
    planSite: (records) =>
      planSite({
        records,
        templates: '',
        pictures: picturesOf(built),
        signupUrl: null,
        markdown: null,
        state: { file: join(built, 'none.json'), isThere: () => false, isForced: true },
      }).site,
  });

const runEleventy = (folder: string, output: string): Promise<Measured> => {
  const command = join(process.cwd(), 'node_modules/@11ty/eleventy/cmd.cjs');
  const args = [command, '--quiet', '--input=content', `--output=${output}`];
  return run(process.execPath, args, { cwd: folder });
};

const compare = (
  eleventy: string,
  ours: string,
): Pick<PagesResult, 'files' | 'bytes' | 'different'> => {
  const files = readdirSync(eleventy, { recursive: true, withFileTypes: true }).filter((entry) =>
    entry.isFile(),
  );
  let bytes = 0;
  let different = 0;
  for (const { parentPath, name } of files) {
    const page = readFileSync(join(parentPath, name));
    bytes += page.byteLength;
    if (!page.equals(readIfThere(join(ours, parentPath.slice(eleventy.length), name))))
      different += 1;
  }
  return { files: files.length, bytes, different };
};

const readIfThere = (file: string): Buffer => {
  try {
    return readFileSync(file);
  } catch {
    return Buffer.alloc(0);
  }
};
