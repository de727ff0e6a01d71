// What search in the browser reads (decisions, Queries): a document of each searched resource, which the executor cuts
// out of the packed tree. Whoever builds writes them as files, or removes those while the setting `searchIndex` is off.
import { SEARCH_SCHEMAS, SEARCHED_MAX } from '../contract/content/search-index.ts';
import type { SearchedResource } from '../paths/files.ts';
import { answerQuery } from '../queries/answer.ts';
import { type ListQuery, parseListQuery } from '../queries/list-query.ts';
import type { TreeStore } from '../queries/tree-store.ts';

/** Records that are asked for at once. */
const PART = 1_000;

/** The document of a tree, as its pieces. */
export const searchDocument = async (
  store: TreeStore,
  resource: SearchedResource,
): Promise<Buffer[]> => {
  const pieces: Buffer[] = [Buffer.from(`{"${resource}":[`)];
  for (let page = 1; page <= SEARCHED_MAX / PART; page += 1) {
    const records = recordsOf(
      Buffer.concat(await answerQuery(store, resource, queryOf(resource, page))),
    );
    if (records.length === 0) break;
    if (page > 1) pieces.push(Buffer.from(','));
    pieces.push(records);
  }
  pieces.push(Buffer.from(']}'));
  return pieces;
};

/** What stands between the brackets of a list. */
const recordsOf = (list: Buffer): Buffer =>
  // In a text the quotation mark would have a backslash before it.
  list.subarray(list.indexOf('[') + 1, list.lastIndexOf('],"meta":{"pagination":'));

const queryOf = (resource: SearchedResource, page: number): ListQuery => {
  const fields = Object.keys(SEARCH_SCHEMAS[resource].shape).join(',');
  const filter = resource === 'tags' ? '&filter=visibility:public' : '';
  const rawQuery = `fields=${fields}${filter}&page=${page}`;
  return parseListQuery(resource, rawQuery, { max: PART, nowMs: 0 });
};
