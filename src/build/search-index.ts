// What search in the browser reads (decisions, Queries): a document of each searched resource, which the executor cuts
// out of the packed tree. Whoever builds writes them as files, or removes those while the setting `searchIndex` is off.
import { SEARCH_SCHEMAS, SEARCHED_MAX } from '../contract/content/search-index.ts';
import type { SearchedResource } from '../paths/files.ts';
import { answerQuery } from '../queries/answer.ts';
import { type ListQuery, parseListQuery } from '../queries/list-query.ts';
import type { TreeStore } from '../queries/tree-store.ts';

/** The document of a tree. */
export const searchDocument = async (
  store: TreeStore,
  resource: SearchedResource,
): Promise<Buffer> => {
  const list = Buffer.concat(await answerQuery(store, resource, queryOf(resource)));
  // In a text the quotation mark would have a backslash before it.
  const end = list.lastIndexOf('],"meta":{"pagination":');
  return Buffer.concat([list.subarray(0, end), Buffer.from(']}')]);
};

const queryOf = (resource: SearchedResource): ListQuery => {
  const fields = Object.keys(SEARCH_SCHEMAS[resource].shape).join(',');
  const filter = resource === 'tags' ? '&filter=visibility:public' : '';
  return parseListQuery(resource, `fields=${fields}${filter}`, { max: SEARCHED_MAX, nowMs: 0 });
};
