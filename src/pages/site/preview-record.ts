// A post or page of any status as pages take it: as if it were published, in one read of the publication. Its body is
// whole, as those see it who may read it.
import type { RenderSettings } from '../../publication/documents/renderer.ts';
import { createRenderer } from '../../publication/documents/renderer.ts';
import type { PostSource } from '../../publication/tables/rows.ts';
import type { SitePost } from './site-records.ts';

/** Throws BUILD_INPUT_INVALID for a row that cannot be rendered. */
export const previewRecord = (
  { post, ...linked }: PostSource,
  settings: RenderSettings,
  now: string,
): SitePost => {
  const shown = { ...post, visibility: 'public', published_at: post.published_at ?? now };
  const { open, ends } = createRenderer(settings).post({ post: shown, ...linked });
  const bytes = Buffer.concat([
    Buffer.from(open.head),
    Buffer.from(open.body, 'latin1'),
    Buffer.from(`${open.tail}${ends.at(-1)}`),
  ]);
  // A build makes it of the same rows.
  return JSON.parse(String(bytes)) as SitePost;
};
