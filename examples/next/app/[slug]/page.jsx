import { readAll } from '../../lib/content.js';

export const dynamicParams = false;
export const generateStaticParams = async () =>
  (await readAll('posts')).map(({ slug }) => ({ slug }));

export default async function Post({ params }) {
  const { slug } = await params;
  const post = (await readAll('posts')).find((one) => one.slug === slug);
  return (
    <>
      <h1>{post.title}</h1>
      {/* biome-ignore lint/security/noDangerouslySetInnerHtml: html of a post is markup */}
      <div dangerouslySetInnerHTML={{ __html: post.html }} />
    </>
  );
}
