// Which view an address names.
import type { ComponentChild } from 'preact';
import type { Route } from './route.ts';
import { PostEdit } from './views/post.tsx';
import { PostList } from './views/posts.tsx';
import { State } from './views/state.tsx';

export const viewOf = ({ path: [name = '', id], query }: Route): ComponentChild => {
  switch (name) {
    case '':
      return <State />;
    case 'posts':
    case 'pages':
      return id === undefined ? (
        <PostList root={name} query={query} />
      ) : (
        <PostEdit root={name} id={id === 'new' ? null : id} />
      );
    default:
      return <p>There is no such view.</p>;
  }
};
