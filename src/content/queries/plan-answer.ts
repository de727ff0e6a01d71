// Which of the two ways an address of the content interface is answered: from the file that stands for it, or, where its
// query asks for anything else, from the packed tree (decisions, Queries). Pure; parsing a query throws QueryProblems.
import { type Resource, variantName } from '../paths/endpoints.ts';
import { fileIn, listFile } from '../paths/files.ts';
import type { Located } from '../paths/locate-path.ts';
import { fileIncludes, findDefaultList, hasTiers, isWholeShape } from './default-list.ts';
import {
  type ListQuery,
  type ParseOptions,
  parseListQuery,
  parseRecordQuery,
  type RecordShape,
} from './list-query.ts';

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

export type PlanOptions = ParseOptions & {
  /** The tree has tiers; else they count for nothing in the query of a list. */
  readonly showsTiers: boolean;
};

export const planAnswer = (found: Found, rawQuery: string, options: PlanOptions): AnswerPlan => {
  if (found.kind === 'file') return found;
  const { resource } = found;
  if (found.kind === 'list') {
    const query = parseListQuery(resource, rawQuery, options);
    const file = listFileOf(resource, query, options);
    return file !== null && query.page === 1
      ? { kind: 'file', file }
      : { kind: 'list', resource, query, file };
  }
  const shape = parseRecordQuery(resource, rawQuery);
  const file = fileIn(found.folder, variantName(null, fileIncludes(shape)));
  if (isWholeShape(shape) && !hasTiers(shape)) return { kind: 'file', file };
  const [, name = ''] = found.folder.split('/');
  return { kind: 'record', resource, id: name === 'slug' ? null : name, file, shape };
};

/** The file that would be the answer, of a page of a default list, too; null: none would. */
export const findFile = (found: Found, rawQuery: string, options: PlanOptions): string | null => {
  if (found.kind === 'file') return found.file;
  const { resource } = found;
  if (found.kind === 'list') {
    return listFileOf(resource, parseListQuery(resource, rawQuery, options), options);
  }
  const shape = parseRecordQuery(resource, rawQuery);
  return isWholeShape(shape) && !hasTiers(shape)
    ? fileIn(found.folder, variantName(null, shape.includes))
    : null;
};

const listFileOf = (
  resource: Resource,
  query: ListQuery,
  { max, showsTiers }: PlanOptions,
): string | null => {
  const found = showsTiers && hasTiers(query) ? null : findDefaultList(resource, query, max);
  if (found === null) return null;
  const variant = variantName(found.isPublicOnly ? 'public' : null, found.includes);
  return listFile(resource, variant, found.page);
};
