// Which of the two ways an address of the content interface is answered: from the file that stands for it, or, where its
// query asks for anything else, from the packed tree (decisions, Queries). Pure; parsing a query throws QueryProblems.
import { RESOURCES, type Resource, variantName } from '../../paths/endpoints.ts';
import { listFile } from '../../paths/files.ts';
import {
  type ListQuery,
  type ParseOptions,
  parseListQuery,
  parseRecordQuery,
  type RecordShape,
} from '../../queries/list-query.ts';
import { findDefaultList } from '../../queries/normal-query.ts';

/** A resolved address: its file, and the resource that it lists. */
export type Resolved = { readonly file: string; readonly list: Resource | null };

export type AnswerPlan =
  | { readonly kind: 'file'; readonly file: string }
  | {
      readonly kind: 'list';
      readonly resource: Resource;
      readonly query: ListQuery;
      /** A page of a default list, which may be a file. */
      readonly file: string | null;
    }
  | {
      readonly kind: 'record';
      readonly resource: Resource;
      /** Null where the address names a slug; then the file tells the id. */
      readonly id: string | null;
      readonly file: string;
      readonly shape: RecordShape;
    };

export const planAnswer = (
  { file, list }: Resolved,
  rawQuery: string,
  options: ParseOptions,
): AnswerPlan => {
  if (list !== null) return planList(list, rawQuery, options);
  const [resource, name = '', ...rest] = file.split('/');
  if (!isResource(resource) || rest.length === 0) return { kind: 'file', file };
  const shape = parseRecordQuery(resource, rawQuery);
  if (shape.fields === null && shape.hasHtml && !shape.hasPlaintext) return { kind: 'file', file };
  return { kind: 'record', resource, id: name === 'slug' ? null : name, file, shape };
};

const isResource = (name: string | undefined): name is Resource =>
  RESOURCES.includes(name as Resource);

const planList = (resource: Resource, rawQuery: string, options: ParseOptions): AnswerPlan => {
  const query = parseListQuery(resource, rawQuery, options);
  const found = findDefaultList(resource, query, options.max);
  if (found === null) return { kind: 'list', resource, query, file: null };
  const variant = variantName(found.isPublicOnly ? 'public' : null, found.includes);
  const file = listFile(resource, variant, found.page);
  return found.page === 1 ? { kind: 'file', file } : { kind: 'list', resource, query, file };
};
