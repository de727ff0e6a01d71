// Which view an address names.
import type { ComponentChild } from 'preact';
import type { Route } from './route.ts';
import { later } from './ui/later.tsx';
import { Keys } from './views/keys.tsx';
import { MemberEdit } from './views/members/member.tsx';
import { MemberList } from './views/members/members.tsx';
import { Newsletters } from './views/newsletters.tsx';
import { Overview } from './views/overview.tsx';
import { PostList } from './views/posts/posts.tsx';
import { Webhooks } from './views/webhooks.tsx';

const PostEdit = later(async () => (await import('./views/posts/post.tsx')).PostEdit);
const TagList = later(async () => (await import('./views/tags/tags.tsx')).TagList);
const TagEdit = later(async () => (await import('./views/tags/tag.tsx')).TagEdit);
const Settings = later(async () => (await import('./views/settings/settings.tsx')).Settings);

const VIEWS: Readonly<Record<string, (route: Route) => ComponentChild>> = {
  '': (route) => posts('posts', route),
  posts: (route) => posts('posts', route),
  pages: (route) => posts('pages', route),
  tags: ({ path: [, id], query }) =>
    id === undefined ? <TagList query={query} /> : <TagEdit id={idOf(id)} />,
  settings: () => <Settings />,
  members: ({ path: [, id], query }) =>
    id === undefined ? <MemberList query={query} /> : <MemberEdit id={idOf(id)} />,
  newsletters: () => <Newsletters />,
  overview: () => <Overview />,
  webhooks: () => <Webhooks />,
  keys: () => <Keys />,
};

export const viewOf = (route: Route): ComponentChild => {
  const name = route.path[0] ?? '';
  return Object.hasOwn(VIEWS, name) ? VIEWS[name]?.(route) : <p>Page not found.</p>;
};

const posts = (root: 'posts' | 'pages', { path: [, id], query }: Route): ComponentChild =>
  id === undefined ? (
    <PostList root={root} query={query} />
  ) : (
    <PostEdit root={root} id={idOf(id)} />
  );

/** Null for what is to be made. */
const idOf = (named: string): string | null => (named === 'new' ? null : named);
