// What the declared queries cost, as commands show it.
import { standingFigures } from '../builder/declared-figures.ts';
import { declaredQueriesOf } from '../config/declared-queries.ts';
import type { Report } from './report.ts';
import { shown } from './report.ts';
import type { Workspace } from './workspace.ts';

type DeclaredFacts = {
  readonly queries: number;
  /** Written down though a default list answers them. */
  readonly needless: number;
  readonly files: number;
  readonly bytes: number;
};

export const declaredFacts = ({
  config,
  manifest,
}: Pick<Workspace, 'config' | 'manifest'>): DeclaredFacts => {
  const { queries, needless } = declaredQueriesOf(config);
  const { files, bytes } = standingFigures(manifest);
  return { queries: queries.length, needless: needless.length, files, bytes };
};

/** Nothing where none are declared. */
export const sayDeclared = (
  report: Pick<Report, 'say'>,
  { queries, needless, files, bytes }: DeclaredFacts,
): void => {
  if (queries > 0) {
    const them = files === 1 ? '1 file' : `${shown(files)} files`;
    report.say(`Declared queries: ${queries}, ${them}, ${shown(bytes)} bytes.`);
  }
  if (needless > 0) {
    const them = needless === 1 ? '1 query' : `${needless} queries`;
    report.say(`The setting queries has ${them} that a default list answers: no files are needed.`);
  }
};
