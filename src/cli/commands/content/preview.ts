// prepress preview: a link to a post or page that is not published, for who has no key; or the end of all of them.
import { PrepressError } from '../../../base/errors.ts';
import { PREVIEW_HOURS_MAX } from '../../../base/limits.ts';
import { hostPort } from '../../../base/net/host-port.ts';
import { asksForPages } from '../../../pages/eleventy/asks-for-pages.ts';
import { findServerPort } from '../../../publish/cycle/server-settings.ts';
import { createPreviewLink, revokePreviewLinks } from '../../../serve/admin/posts/preview-links.ts';
import { withWorkspace } from '../../../serve/workspace/with-workspace.ts';
import type { Run } from '../command.ts';
import { parseCount } from '../parse-count.ts';
import { getPost } from './get-post.ts';

export const preview: Run = ({ config, report, args: [name], options }) =>
  withWorkspace(config, async ({ store, paths, useCases }) => {
    if ((name === undefined) !== (options.revoke === true)) {
      throw new PrepressError(
        'USAGE',
        name === undefined
          ? 'Name the slug or id of a post or page, or add --revoke to revoke all links.'
          : `--revoke revokes the links of all posts: leave out ${JSON.stringify(name)}.`,
      );
    }
    if (name === undefined) {
      await revokePreviewLinks(useCases);
      report.print('Revoked all links to previews.');
      report.data({ revoked: true });
      return 0;
    }
    const hours = parseCount('--hours', options.hours ?? 1, PREVIEW_HOURS_MAX);
    const { host, port, basePath, adminUrl } = config;
    const origin = adminUrl ?? `http://${hostPort({ host, port: findServerPort(paths) ?? port })}`;
    const link = await createPreviewLink(useCases, config, {
      ...(await getPost(store, name)),
      hours,
      isUngated: options.ungated === true,
      base: origin.endsWith(basePath) ? origin : `${origin}${basePath}`,
    });
    report.print(link.url);
    report.print(`It works until ${link.expires_at}.`);
    if (config.previewLinks === 'on' && !(await asksForPages(config, store)))
      report.print('There are no pages here: leave out "page/" to get the document.');
    report.data(link);
    return 0;
  });
