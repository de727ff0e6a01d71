// prepress import redirects: Ghost's redirects.json or redirects.yaml, in place of those that the publication has.
import { readRedirects } from '../../../publication/import/redirects/read-redirects.ts';
import { saveRedirects } from '../../../publication/store/content/redirects.ts';
import { rewriteHosts } from '../../../publish/after-build/write-after-build.ts';
import { withWorkspace } from '../../../serve/workspace/with-workspace.ts';
import type { Run } from '../command.ts';

export const importRedirects: Run = async ({ config, report, args: [file = ''] }) => {
  const redirects = await readRedirects(file);
  return withWorkspace(config, async (workspace) => {
    const { store, useCases } = workspace;
    await store.write((tx) => saveRedirects(tx, redirects, useCases.clock.now()));
    report.print(`Redirects of the publication: ${redirects.length}.`);
    const { hosts, toReload } = await rewriteHosts(workspace);
    for (const { host, limitations } of hosts)
      for (const note of limitations.filter((text) => text.startsWith('Redirects')))
        report.print(`${host}: ${note}`);
    if (toReload.length > 0) report.print(`Reload: ${toReload.join(', ')}.`);
    if (config.hosts.length === 0)
      report.print(
        'Rules of a host that were written before lack them: run "prepress hosts write HOST" again, and reload the host.',
      );
    report.data({ redirects: redirects.length, to_reload: toReload });
    return 0;
  });
};
