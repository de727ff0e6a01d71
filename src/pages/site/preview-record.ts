// A post or page of any status as documents show it: as if it were published.
import type { RecordText } from '../../publication/documents/fragment.ts';
import type { RenderSettings } from '../../publication/documents/renderer.ts';
import { createRenderer } from '../../publication/documents/renderer.ts';
import type { PostSource } from '../../publication/tables/rows.ts';
import type { SitePost } from './site-records.ts';

/** Throws BUILD_INPUT_INVALID for a row that cannot be rendered. */
export const previewRecord = (
  { post, ...linked }: PostSource,
  settings: RenderSettings,
  now: string,
): RecordText => {
  const shown = { ...post, published_at: post.published_at ?? now };
  return createRenderer(settings).post({ post: shown, ...linked });
};

/** As pages take it: with its authors and tags. */
export const toSitePost = (text: RecordText): SitePost =>
  // A build makes it of the same rows.
  JSON.parse(String(recordBytes(text, text.ends.length - 1))) as SitePost;

/** `variant`: its place among those of the endpoint table. */
export const recordBytes = ({ open, ends }: RecordText, variant: number): Buffer =>
  Buffer.concat([
    Buffer.from(open.head),
    Buffer.from(open.body, 'latin1'),
    Buffer.from(`${open.tail}${ends[variant]}`),
  ]);
