// prepress queries: what clients asked the companion server for.
import { showAskedQuery } from '../../admin/asked-queries.ts';
import { askedQueriesAt } from '../../store/sqlite/asked-queries.ts';
import type { Run } from '../command.ts';
import { shown } from '../report.ts';
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
