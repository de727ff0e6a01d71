// The renderer with the fragments as bytes: one buffer for each variant of a record.
import type { RecordText } from '../../../../src/publication/documents/fragment.ts';
import {
  createRenderer,
  type RenderSettings,
} from '../../../../src/publication/documents/renderer.ts';
import type {
  AuthorSource,
  PostSource,
  TagSource,
} from '../../../../src/publication/tables/rows.ts';

export type { RenderSettings };

export const createFragmentRenderer = (settings: RenderSettings) => {
  const { post, tag, author } = createRenderer(settings);
  return {
    post: (source: PostSource) => toFragments(post(source)),
    tag: (source: TagSource) => toFragments(tag(source)),
    author: (source: AuthorSource) => toFragments(author(source)),
  };
};

const toFragments = ({ open, ends }: RecordText): Buffer[] =>
  ends.map((end) =>
    Buffer.concat([
      Buffer.from(open.head),
      Buffer.from(open.body, 'latin1'),
      Buffer.from(open.tail + end),
    ]),
  );
