// Which view an address names.
import type { ComponentChild } from 'preact';
import type { Route } from './route.ts';
import { Keys } from './views/keys.tsx';
import { MemberEdit } from './views/members/member.tsx';
import { MemberList } from './views/members/members.tsx';
import { Newsletters } from './views/newsletters.tsx';
import { PostEdit } from './views/posts/post.tsx';
import { PostList } from './views/posts/posts.tsx';
import { State } from './views/state.tsx';
import { Webhooks } from './views/webhooks.tsx';

const VIEWS: Readonly<Record<string, (route: Route) => ComponentChild>> = {
  '': () => <State />,
  posts: (route) => posts('posts', route),
  pages: (route) => posts('pages', route),
  members: ({ path: [, id], query }) =>
    id === undefined ? <MemberList query={query} /> : <MemberEdit id={idOf(id)} />,
  newsletters: () => <Newsletters />,
  webhooks: () => <Webhooks />,
  keys: () => <Keys />,
};

export const viewOf = (route: Route): ComponentChild => {
  const name = route.path[0] ?? '';
  return Object.hasOwn(VIEWS, name) ? VIEWS[name]?.(route) : <p>There is no such view.</p>;
};

const posts = (root: 'posts' | 'pages', { path: [, id], query }: Route): ComponentChild =>
  id === undefined ? (
    <PostList root={root} query={query} />
  ) : (
    <PostEdit root={root} id={idOf(id)} />
  );

/** Null for what is to be made. */
const idOf = (named: string): string | null => (named === 'new' ? null : named);
