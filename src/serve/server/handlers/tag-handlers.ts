// Tags: browse, read, add, edit, delete.
import { browseTags, createTag, deleteTag, editTag, readTag } from '../../admin/posts/tags.ts';
import type { ServerDeps } from '../ports.ts';
import type { Call, Handlers } from './handler.ts';

export const tagHandlers = ({ context }: ServerDeps): Handlers['tags'] => ({
  'GET /': (call) => browseTags(context, call.list, countOf(call)),
  'GET /{id}/': (call) => readTag(context, { id: call.id }, countOf(call)),
  'GET /slug/{slug}/': (call) => readTag(context, { slug: call.name }, countOf(call)),
  'POST /': async (call) =>
    readTag(context, { id: await createTag(context, call.input) }, countOf(call)),
  'PUT /{id}/': async (call) => {
    await editTag(context, call.id, call.input);
    return readTag(context, { id: call.id }, countOf(call));
  },
  'DELETE /{id}/': (call) => deleteTag(context, call.id),
});

const countOf = ({ values }: Call): { withCount: boolean } => ({
  withCount: (values('include') ?? []).includes('count.posts'),
});
