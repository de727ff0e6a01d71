// The list of tags: searched by name, internal ones by themselves, each with the number of its posts.
import { useDesk } from '../../context.ts';
import type { Paged, Tag } from '../../records.ts';
import { setQuery } from '../../route.ts';
import { Failed } from '../../ui/failed.tsx';
import { SelectField, TextField } from '../../ui/fields/field.tsx';
import { useLoaded } from '../../ui/hooks.ts';
import { Pager } from '../../ui/pager.tsx';
import { useSearch } from '../../ui/search.ts';
import { filterText, plural } from '../../ui/words.ts';

const LIMIT = 50;

const KINDS = [
  ['', 'All tags'],
  ['public', 'Public'],
  ['internal', 'Internal'],
] as const;

export const TagList = ({ query }: { readonly query: URLSearchParams }) => {
  const { api } = useDesk();
  const kind = query.get('kind') ?? '';
  const page = query.get('page') ?? '';
  const { text, setText, search } = useSearch(query);
  const filter = [kind && `visibility:${kind}`, search && `name:~${filterText(search)}`]
    .filter(Boolean)
    .join('+');
  const { value, error } = useLoaded(
    () =>
      api.get<Paged & { tags: Tag[] }>('/tags/', {
        ...{ limit: LIMIT, page, filter },
        ...{ order: 'name asc', include: 'count.posts' },
      }),
    [api, filter, page],
  );
  return (
    <>
      <div class="head">
        <h1>Tags</h1>
        <a class="button main" href="#/tags/new">
          New tag
        </a>
      </div>
      <div class="filters">
        <TextField label="Search names" type="search" value={text} onChange={setText} />
        <SelectField
          label="Kind"
          value={kind}
          options={KINDS}
          onChange={(chosen) => setQuery({ kind: chosen, page: '' })}
        />
      </div>
      <Failed error={error} />
      {value === null && error === null && <p>Loading…</p>}
      {value !== null && (
        <>
          <ul class="records">
            {value.tags.map((tag) => (
              <Row key={tag.id} tag={tag} />
            ))}
          </ul>
          {value.meta.pagination.total === 0 && <p class="hint">Nothing found.</p>}
          <Pager pagination={value.meta.pagination} noun="tag" />
        </>
      )}
    </>
  );
};

const Row = ({ tag: { id, name, slug, visibility, count } }: { readonly tag: Tag }) => (
  <li>
    <span class="grow">
      <a href={`#/tags/${id}`}>{name}</a>
      <span class="hint"> {visibility === 'internal' ? 'internal' : slug}</span>
    </span>
    <a class="hint" href={`#/posts?tag=${encodeURIComponent(slug)}`}>
      {plural(count?.posts ?? 0, 'post')}
    </a>
  </li>
);
