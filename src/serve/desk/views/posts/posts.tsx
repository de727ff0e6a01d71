// The list of posts, or of pages: searched by title, filtered by status.
import { useDesk } from '../../context.ts';
import type { Paged, Post } from '../../records.ts';
import { setQuery } from '../../route.ts';
import { Badge } from '../../ui/badge.tsx';
import { Failed } from '../../ui/failed.tsx';
import { SelectField, TextField } from '../../ui/field.tsx';
import { useLoaded } from '../../ui/hooks.ts';
import { Pager } from '../../ui/pager.tsx';
import { useSearch } from '../../ui/search.ts';
import { filterText, time } from '../../ui/words.ts';
import type { PostRoot } from './post-draft.ts';
import { visibilityWords } from './visibilities.ts';

const LIMIT = 20;
const FIELDS = 'id,title,slug,status,visibility,featured,published_at,updated_at';

type Listed = Pick<
  Post,
  'id' | 'title' | 'slug' | 'status' | 'visibility' | 'featured' | 'published_at' | 'updated_at'
>;

const STATUSES = [
  ['', 'Any status'],
  ['draft', 'Drafts'],
  ['scheduled', 'Scheduled'],
  ['published', 'Published'],
  ['sent', 'Sent'],
] as const;

type Props = { readonly root: PostRoot; readonly query: URLSearchParams };

export const PostList = ({ root, query }: Props) => {
  const { api } = useDesk();
  const status = query.get('status') ?? '';
  const page = query.get('page') ?? '';
  const { text, setText, search } = useSearch(query);
  const { value, error } = useLoaded(
    () =>
      api.get<Paged & { [R in PostRoot]?: Listed[] }>(`/${root}/`, {
        limit: LIMIT,
        page,
        order: 'updated_at desc',
        fields: FIELDS,
        filter: filterOf(status, search),
      }),
    [api, root, status, page, search],
  );
  const noun = root === 'posts' ? 'post' : 'page';
  return (
    <>
      <div class="head">
        <h1>{root === 'posts' ? 'Posts' : 'Pages'}</h1>
        <a class="button main" href={`#/${root}/new`}>
          New {noun}
        </a>
      </div>
      <div class="filters">
        <TextField label="Search titles" type="search" value={text} onChange={setText} />
        <SelectField
          label="Status"
          value={status}
          options={STATUSES.filter(([name]) => root === 'posts' || name !== 'sent')}
          onChange={(chosen) => setQuery({ status: chosen, page: '' })}
        />
      </div>
      <Failed error={error} />
      {value === null && error === null && <p>Loading…</p>}
      {value !== null && (
        <>
          <ul class="records">
            {(value[root] ?? []).map((post) => (
              <Row key={post.id} root={root} post={post} />
            ))}
          </ul>
          {value.meta.pagination.total === 0 && <p class="hint">Nothing is found.</p>}
          <Pager pagination={value.meta.pagination} noun={noun} />
        </>
      )}
    </>
  );
};

const Row = ({ root, post }: { readonly root: PostRoot; readonly post: Listed }) => (
  <li>
    <Badge state={post.status} />
    <span class="grow">
      <a href={`#/${root}/${post.id}`}>{post.title}</a>
      <span class="hint"> {marksOf(post).join(', ')}</span>
    </span>
    <span class="hint">
      {post.status === 'scheduled'
        ? `appears ${time(post.published_at)}`
        : `changed ${time(post.updated_at)}`}
    </span>
  </li>
);

const marksOf = ({ visibility, featured }: Listed): string[] => [
  ...(visibility === 'public' ? [] : [visibilityWords(visibility)]),
  ...(featured ? ['featured'] : []),
];

const filterOf = (status: string, search: string): string =>
  [status && `status:${status}`, search && `title:~${filterText(search)}`]
    .filter(Boolean)
    .join('+');
