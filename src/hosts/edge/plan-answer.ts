// Which of the two ways an address of the content interface is answered: from the file that stands for it, or, where its
// query asks for anything else, from the packed tree (decisions, Queries). Pure; parsing a query throws QueryProblems.
import { type Resource, variantName } from '../../paths/endpoints.ts';
import { fileIn, listFile } from '../../paths/files.ts';
import type { Located } from '../../paths/locate.ts';
import {
  type ListQuery,
  type ParseOptions,
  parseListQuery,
  parseRecordQuery,
  type RecordShape,
} from '../../queries/list-query.ts';
import { findDefaultList } from '../../queries/normal-query.ts';

/** An address that is answered. */
export type Found = Exclude<Located, { readonly kind: 'redirect' }>;

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

export const planAnswer = (found: Found, rawQuery: string, options: ParseOptions): AnswerPlan => {
  if (found.kind === 'file') return found;
  const { resource } = found;
  if (found.kind === 'list') return planList(resource, rawQuery, options);
  const shape = parseRecordQuery(resource, rawQuery);
  const file = fileIn(found.folder, variantName(null, shape.includes));
  if (shape.fields === null && shape.hasHtml && !shape.hasPlaintext) return { kind: 'file', file };
  const [, name = ''] = found.folder.split('/');
  return { kind: 'record', resource, id: name === 'slug' ? null : name, file, shape };
};

const planList = (resource: Resource, rawQuery: string, options: ParseOptions): AnswerPlan => {
  const query = parseListQuery(resource, rawQuery, options);
  const found = findDefaultList(resource, query, options.max);
  if (found === null) return { kind: 'list', resource, query, file: null };
  const variant = variantName(found.isPublicOnly ? 'public' : null, found.includes);
  const file = listFile(resource, variant, found.page);
  return found.page === 1 ? { kind: 'file', file } : { kind: 'list', resource, query, file };
};
