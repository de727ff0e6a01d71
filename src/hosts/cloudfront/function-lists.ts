// The queries that have files, as the function finds them.
import { RESOURCES, type Resource } from '../../paths/endpoints.ts';
import type { EdgeList } from '../edge/list-files.ts';
import type { HostQueries } from '../host.ts';
import { type Choice, listChoices } from '../list-choices.ts';

export const functionLists = (
  queries: HostQueries,
): Readonly<Record<Resource, readonly EdgeList[]>> =>
  Object.fromEntries(
    RESOURCES.map((resource) => [
      resource,
      listChoices(resource, queries)
        // Of default lists one stands for all values of include.
        .filter(({ name, includes }) => name !== null || includes.length === 0)
        .map(listOf),
    ]),
  ) as Record<Resource, EdgeList[]>;

const listOf = (choice: Choice): EdgeList => {
  const { fields, limit, includes, orders, filter, pattern, pages, name } = choice;
  const include = name === null ? '*' : includes.join(',');
  const formats = choice.formats.flatMap((text) =>
    text === 'lexical' ? [text, 'mobiledoc'] : text,
  );
  return [
    `${fields.join(',')}&${limit ?? ''}&${include}`,
    filter ?? '',
    pattern === null ? 0 : pattern === 'tag' ? 'tags' : 'authors',
    // By itself, and with the default order after it.
    orders.slice(0, 2),
    formats.length === FORMAT_TEXTS ? 0 : formats,
    pages === 'all' ? 0 : pages,
    name ?? '',
  ];
};

/** Tags and authors have no formats: all mean the same. */
const FORMAT_TEXTS = 6;
