// The list of posts, or of pages: searched by title, filtered by status, tag and author.
import type { Api } from '../../api.ts';
import { useDesk, useTime } from '../../context.ts';
import { type Named, readNames } from '../../read-names.ts';
import type { Paged, Post } from '../../records.ts';
import { setQuery } from '../../route.ts';
import { Badge } from '../../ui/badge.tsx';
import { Failed } from '../../ui/failed.tsx';
import { SelectField, TextField } from '../../ui/fields/field.tsx';
import { useLoaded } from '../../ui/hooks.ts';
import { Pager } from '../../ui/pager.tsx';
import { useSearch } from '../../ui/search.ts';
import { filterText } from '../../ui/words.ts';
import { visibilityWords } from './settings/visibilities.ts';
import type { PostRoot } from './writing/post-draft.ts';

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
  const [status, tag, author, page] = ['status', 'tag', 'author', 'page'].map(
    (name) => query.get(name) ?? '',
  ) as [string, string, string, string];
  const { text, setText, search } = useSearch(query);
  const filter = filterOf({ status, tag, author }, search);
  const choices = useLoaded(() => readChoices(api), [api]).value;
  const { value, error } = useLoaded(
    () =>
      api.get<Paged & { [R in PostRoot]?: Listed[] }>(`/${root}/`, {
        limit: LIMIT,
        page,
        order: 'updated_at desc',
        fields: FIELDS,
        filter,
      }),
    [api, root, filter, page],
  );
  const choose = (name: string) => (chosen: string) => setQuery({ [name]: chosen, page: '' });
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
          onChange={choose('status')}
        />
        <SelectField
          label="Tag"
          value={tag}
          options={[['', 'Any tag'], ...namesOf(choices?.tags, tag)]}
          onChange={choose('tag')}
        />
        <SelectField
          label="Author"
          value={author}
          options={[['', 'Any author'], ...namesOf(choices?.users, author)]}
          onChange={choose('author')}
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
          {value.meta.pagination.total === 0 && <p class="hint">Nothing found.</p>}
          <Pager pagination={value.meta.pagination} noun={noun} />
        </>
      )}
    </>
  );
};

const Row = ({ root, post }: { readonly root: PostRoot; readonly post: Listed }) => {
  const time = useTime();
  return (
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
};

const marksOf = ({ visibility, featured }: Listed): string[] => [
  ...(visibility === 'public' ? [] : [visibilityWords(visibility)]),
  ...(featured ? ['featured'] : []),
];

const readChoices = async (api: Api) => {
  const [tags, users] = await Promise.all([readNames(api, 'tags'), readNames(api, 'users')]);
  return { tags, users };
};

/** What is chosen is among them, before they are loaded, too. */
const namesOf = (choices: readonly Named[] = [], chosen: string): (readonly [string, string])[] => {
  const isKnown = chosen === '' || choices.some(({ slug }) => slug === chosen);
  const all = isKnown ? choices : [{ slug: chosen, name: chosen }, ...choices];
  return all.map(({ slug, name }) => [slug, name] as const);
};

type Chosen = Readonly<Record<'status' | 'tag' | 'author', string>>;

const filterOf = ({ status, tag, author }: Chosen, search: string): string =>
  [
    status && `status:${status}`,
    tag && `tag:${filterText(tag)}`,
    author && `author:${filterText(author)}`,
    search && `title:~${filterText(search)}`,
  ]
    .filter(Boolean)
    .join('+');
