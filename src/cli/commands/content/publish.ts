// prepress publish and unpublish: one post or page by its slug, also while a server runs.

import { PrepressError } from '../../../base/errors.ts';
import { counted } from '../../../base/text/counted.ts';
import { findMetaRows, findPostById } from '../../../publication/store/content/posts.ts';
import { isEmailOnly } from '../../../publication/tables/published-posts.ts';
import { createAfterBuild } from '../../../publish/after-build/after-build.ts';
import { publishOnce } from '../../../publish/cycle/publish-once.ts';
import { throwIfServerDiffers } from '../../../publish/cycle/server-settings.ts';
import { editPost } from '../../../serve/admin/posts/posts.ts';
import { throwIfNotDeployed } from '../../../serve/workspace/deploy-after.ts';
import { openWorkspace, type Workspace } from '../../../serve/workspace/workspace.ts';
import type { Run } from '../command.ts';
import { printBuilt } from '../output/build.ts';
import { deployAndDeliver } from '../output/deploy-and-deliver.ts';
import { printReload } from '../output/hosts.ts';
import { getPost } from './get-post.ts';

const setStatus =
  (status: 'published' | 'draft', done: string): Run =>
  async ({ config, report, args }) => {
    const [slug = ''] = args;
    const workspace = await openWorkspace(config, { mayLead: true });
    try {
      const { id, type } = await getPost(workspace.store, slug);
      const isSo = (await findPostById(workspace.store, type, id))?.status === status;
      if (status === 'published') await refuseEmailOnly(workspace, { id, type, slug });
      // The build refuses too, but the change would be there already.
      await throwIfServerDiffers(workspace);
      const input = { updated_at: null, status };
      await editPost(workspace.useCases, { type, id, input }, { sourceHtml: false });
      const after = createAfterBuild(workspace);
      const result = await publishOnce(workspace, { onBuilt: after.onBuilt });
      const already = `The ${type} ${slug} is already ${status === 'draft' ? 'a draft' : status}.`;
      report.print(isSo ? already : `${done} ${type} ${slug}.`);
      printBuilt(report, result, workspace.paths);
      printReload(report, after.toReload());
      const { pages, deployed, deliveries } = await deployAndDeliver(workspace, report);
      const failure = after.failure();
      if (failure !== null) throw failure;
      if (deliveries.tried > 0) {
        report.print(
          `Delivered ${deliveries.succeeded} of ${counted(deliveries.tried, 'webhook')}.`,
        );
      } else if (result.queued > 0 && !deliveries.leftToServer && config.readback !== undefined) {
        report.print(
          'Webhooks wait until a server has read the changes back from the public site.',
        );
      }
      throwIfNotDeployed(deployed);
      const deploys = deployed.targets;
      report.data({ id, type, slug, status, build: result, pages, deploys, deliveries });
    } finally {
      await workspace.close();
    }
    return 0;
  };

export const publish = setStatus('published', 'Published');
export const unpublish = setStatus('draft', 'Unpublished');

type Named = { readonly id: string; readonly type: 'post' | 'page'; readonly slug: string };

const refuseEmailOnly = async ({ store }: Workspace, { id, type, slug }: Named): Promise<void> => {
  const [meta] = await findMetaRows(store, [id]);
  const named = `The ${type} "${slug}"`;
  if (isEmailOnly(meta)) {
    throw new PrepressError(
      'VALIDATION',
      `${named} is e-mail only, and the web never shows it. Set its email_only to false first.`,
    );
  }
  const post = await findPostById(store, type, id);
  if (post?.status !== 'sent') return;
  throw new PrepressError(
    'VALIDATION',
    `${named} was sent by e-mail only. Run "prepress unpublish ${slug}" first to make it a draft.`,
  );
};
