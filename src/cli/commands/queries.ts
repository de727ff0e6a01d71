// prepress queries: what clients asked the companion server for, and declaring it.
import { showAskedQuery } from '../../admin/asked-queries.ts';
import { PrepressError } from '../../base/errors.ts';
import { type Adopted, type AdoptedQuery, adoptQueries } from '../../publisher/adopt-queries.ts';
import { askedQueriesAt } from '../../store/asked-queries.ts';
import type { Run } from '../command.ts';
import { type Report, shown } from '../report.ts';
import { withWorkspace } from '../with-workspace.ts';

export const queries: Run = ({ config, report }) =>
  withWorkspace(config, async ({ paths }) => {
    const asked = askedQueriesAt(paths.manifest).list();
    const width = Math.max(0, ...asked.map(({ count }) => shown(count).length));
    for (const { resource, query, count } of asked) {
      report.say(`${shown(count).padStart(width)}  ${resource}  ${query}`);
    }
    if (asked.length === 0) {
      report.say(
        'No queries were asked yet. Start "prepress serve" and point your site at it; default lists are not counted.',
      );
    }
    report.data({ queries: asked.map(showAskedQuery) });
    return 0;
  });

export const queriesAdopt: Run = ({ config, report, options, settingsFile }) =>
  withWorkspace(config, async ({ paths, manifest }) => {
    const isTrial = options.dryRun === true;
    const countMin = parseCount(options.atLeast);
    const adopted = await adoptQueries({
      config,
      paths,
      manifest,
      settingsFile,
      countMin,
      isTrial,
    });
    sayAdopted(report, adopted);
    const isAny = adopted.queries.length > 0;
    if (isAny && !isTrial) {
      report.say(
        `Written to ${settingsFile}; "prepress build" makes the files, and a server that runs does by itself.`,
      );
    }
    report.data({ ...adopted, settings_file: isAny && !isTrial ? settingsFile : null });
    return 0;
  });

const parseCount = (given: unknown): number => {
  const count = Number(given ?? 1);
  if (Number.isSafeInteger(count) && count >= 1) return count;
  throw new PrepressError('USAGE', `--at-least takes a whole number from 1, got "${given}".`);
};

const sayAdopted = (report: Report, { queries: added, left }: Adopted): void => {
  let [files, bytes] = [0, 0];
  for (const one of added) {
    const pages = one.pages === 1 ? '' : `, pages: ${one.pages}`;
    report.say(`${one.resource}  ${one.query}${pages}  ${costOf(one)}`);
    files += one.files;
    bytes += one.bytes;
  }
  for (const { resource, query, reason } of left) {
    report.say(`Not declared: ${resource}  ${query}: ${reason}.`);
  }
  report.say(
    added.length === 0
      ? 'There is nothing to declare: what was asked has files already.'
      : `${shown(added.length)} declared, ${costOf({ files, bytes })} in all.`,
  );
};

const costOf = ({ files, bytes }: Pick<AdoptedQuery, 'files' | 'bytes'>): string =>
  `${shown(files)} ${files === 1 ? 'file' : 'files'}, ${shown(bytes)} bytes`;
