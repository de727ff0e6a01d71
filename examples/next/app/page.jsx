import { readAll } from '../lib/content.js';

export default async function Home() {
  const posts = await readAll('posts');
  return (
    <>
      <h1>Posts</h1>
      <ul>
        {posts.map((post) => (
          <li key={post.id}>
            <a href={`/${post.slug}/`}>{post.title}</a>
          </li>
        ))}
      </ul>
    </>
  );
}
