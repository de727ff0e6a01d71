// Which view an address names.
import type { ComponentChild } from 'preact';
import type { Route } from './route.ts';
import { Keys } from './views/keys.tsx';
import { MemberEdit } from './views/member.tsx';
import { MemberList } from './views/members.tsx';
import { Newsletters } from './views/newsletters.tsx';
import { PostEdit } from './views/post.tsx';
import { PostList } from './views/posts.tsx';
import { Queries } from './views/queries.tsx';
import { State } from './views/state.tsx';
import { Webhooks } from './views/webhooks.tsx';

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
    case 'members':
      return id === undefined ? (
        <MemberList query={query} />
      ) : (
        <MemberEdit id={id === 'new' ? null : id} />
      );
    case 'newsletters':
      return <Newsletters />;
    case 'webhooks':
      return <Webhooks />;
    case 'keys':
      return <Keys />;
    case 'queries':
      return <Queries />;
    default:
      return <p>There is no such view.</p>;
  }
};
