// What the pages that stand were made of, by digests: which of them are due, and which show what was taken back since.
import { hash } from 'node:crypto';
import * as z from 'zod';
import { readJsonFile } from '../../base/files/read-json.ts';
import { writeWhole } from '../../base/files/write-whole.ts';
import { createSiteAddresses } from './site-address.ts';
import { createSitePictures, type PicturesPlace, type SitePictures } from './site-pictures.ts';
import type { SiteRecords } from './site-records.ts';
import { createSiteViews, type ListView, type PostView } from './site-views.ts';

export const digestOf = (value: unknown): string =>
  hash('sha256', JSON.stringify(value), 'base64url').slice(0, 22);

type StateInput = {
  readonly records: SiteRecords;
  readonly pictures: PicturesPlace;
  /** Of the state. */
  readonly file: string;
};

type DueInput = StateInput & {
  /** Ids of posts that show only a part of their text. */
  readonly gated: ReadonlySet<string>;
};

/** Of the pages that stand by the state in `file`: which are of records that are gone, became closed or have another address now, and which are as they were. */
export const findDuePages = ({ records, pictures, gated, file }: DueInput) => {
  const state = readJsonFile(schema, file);
  const stood = new Map(Object.entries(state?.pages ?? {}));
  const { posts, lists } = createSiteViews(records);
  const { root } = createSiteAddresses(records.settings.url);
  const digest = viewDigests(createSitePictures(pictures, root));
  const isSame = (view: ListView | PostView): boolean => stood.get(view.file) === digest(view);
  /** The page shows another record, which had the address before. */
  const isTaken = ({ file: name, record }: PostView): boolean =>
    (ownerIn(stood.get(name)) ?? record.id) !== record.id;
  const filesOf = (views: readonly (ListView | PostView)[]) => views.map((view) => view.file);
  const all = new Set(filesOf([...posts, ...lists]));
  return {
    lost: [...stood.keys()].filter((name) => !all.has(name)).concat(filesOf(posts.filter(isTaken))),
    closed: filesOf(
      posts.filter((view) => (view.gate !== null || gated.has(view.record.id)) && !isSame(view)),
    ),
    standing: new Set(filesOf(state?.said ? posts : [...posts, ...lists.filter(isSame)])),
    said: state?.said ?? {},
  };
};

/** The beginning of a body, by which a file that shows it is known. */
const SAID_CHARACTERS = 500;

/** Keeps what the records say, where a project's own templates make all pages and ours none. */
export const saveSaid = ({ records, pictures, file }: StateInput): void => {
  const { posts, lists } = createSiteViews(records);
  const { root } = createSiteAddresses(records.settings.url);
  const digest = viewDigests(createSitePictures(pictures, root));
  const pages = Object.fromEntries([...posts, ...lists].map((view) => [view.file, digest(view)]));
  // No run of our templates goes by it.
  writeWhole(file, `${JSON.stringify({ shared: '', pages, said: saidOf(posts) })}\n`);
};

/** What records say that have no page of ours; undefined where there are none. */
export const saidOf = (posts: readonly PostView[]): Record<string, string> | undefined => {
  const textOf = ({ record }: PostView): string => {
    const { title, excerpt, og_title, og_description, twitter_title, twitter_description } = record;
    const head = [title, excerpt, og_title, og_description, twitter_title, twitter_description];
    const body = (record.html ?? '').replaceAll(/<[^<>]*>/g, ' ').slice(0, SAID_CHARACTERS);
    return [...head, body].filter((text) => text != null && text !== '').join('\n');
  };
  const said = posts.map((view) => [view.file, textOf(view)]);
  return said.length === 0 ? undefined : Object.fromEntries(said);
};

/** Two views with one digest have equal pages. That of a post begins with its id and a dot. */
export const viewDigests =
  (pictures: SitePictures) =>
  (view: ListView | PostView): string => {
    const digest = digestOf([view, pictures.digest(view.image)]);
    return 'record' in view ? `${view.record.id}.${digest}` : digest;
  };

const ownerIn = (digest = ''): string | undefined => /^([^.]+)[.]/.exec(digest)?.[1];

const schema = z.object({
  shared: z.string(),
  pages: z.record(z.string(), z.string()),
  said: z.record(z.string(), z.string()).optional(),
});

/** Digests by file; none when something that all pages show has changed, or the file cannot be read. */
export const readState = (file: string, shared: string): Map<string, string> => {
  const state = readJsonFile(schema, file);
  return new Map(state?.shared === shared ? Object.entries(state.pages) : []);
};
