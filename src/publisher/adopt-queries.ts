// Declares what the companion server was asked, and says what it costs.
import { type LeftQuery, planAdoption } from '../admin/adopt-queries.ts';
import { declareInFile } from '../admin/declare-in-file.ts';
import { PrepressError } from '../base/errors.ts';
import { type DeclaredFigures, openFigures } from '../builder/declared-figures.ts';
import { rawQueryOfDeclared } from '../config/declared-queries.ts';
import type { Config } from '../config/settings.ts';
import type { DeclaredQuery } from '../paths/declared-queries.ts';
import { askedQueriesAt } from '../store/asked-queries.ts';
import type { Manifest } from '../store/manifest.ts';
import type { DataPaths } from './paths.ts';

export type AdoptInput = {
  readonly config: Config;
  readonly paths: Pick<DataPaths, 'manifest' | 'contentFolder'>;
  readonly manifest: Pick<Manifest, 'storedSegments'>;
  /** Absolute; may be absent. */
  readonly settingsFile: string;
  /** Only what was asked as often is declared. */
  readonly countMin?: number;
  /** Nothing is written. */
  readonly isTrial?: boolean;
};

export type AdoptedQuery = Pick<DeclaredQuery, 'resource' | 'pages'> &
  DeclaredFigures & { readonly query: string };

export type Adopted = {
  readonly queries: readonly AdoptedQuery[];
  readonly left: readonly LeftQuery[];
};

/** Throws VALIDATION when there is no tree to tell the cost from, or the setting cannot be written. */
export const adoptQueries = async (input: AdoptInput): Promise<Adopted> => {
  const { config, paths, manifest, settingsFile, countMin = 1, isTrial = false } = input;
  const asked = askedQueriesAt(paths.manifest).list();
  const { added, left } = planAdoption(
    asked.filter(({ count }) => count >= countMin),
    config,
  );
  if (added.length === 0) return { queries: [], left };
  const figuresOf = openFigures({ contentFolder: paths.contentFolder, manifest });
  if (figuresOf === null) {
    const sentence = 'There is no tree yet to tell the cost of queries from: build first.';
    throw new PrepressError('VALIDATION', sentence, { property: 'queries' });
  }
  const queries: AdoptedQuery[] = [];
  for (const query of added) {
    const { resource, pages } = query;
    const text = shownQuery(query);
    queries.push({ resource, query: text, pages, ...(await figuresOf(query)) });
  }
  if (!isTrial) declareInFile(settingsFile, added, config);
  return { queries, left };
};

/** Easier to read than what clients send: only signs with a meaning between parameters are codes. */
const shownQuery = (query: DeclaredQuery): string =>
  rawQueryOfDeclared(query).replace(/%(?:2C|3A|7B|7D|20)/g, decodeURIComponent);
