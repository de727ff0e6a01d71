import { cookies, draftMode } from 'next/headers';
import { notFound } from 'next/navigation';
import { readAll } from '../../lib/content.js';
import { PREVIEW_COOKIE, readPreview } from '../../lib/preview.js';

export const generateStaticParams = async () =>
  (await readAll('posts')).map(({ slug }) => ({ slug }));

/** In draft mode that of the link, if it is the post of this address. */
const findPost = async (slug) => {
  const { isEnabled } = await draftMode();
  const asked = isEnabled ? (await cookies()).get(PREVIEW_COOKIE)?.value : undefined;
  const preview = asked === undefined ? null : await readPreview(JSON.parse(asked));
  if (preview?.slug === slug) return preview;
  return (await readAll('posts')).find((one) => one.slug === slug);
};

export default async function Post({ params }) {
  const { slug } = await params;
  const post = (await findPost(decodeURIComponent(slug))) ?? notFound();
  return (
    <>
      <h1>{post.title}</h1>
      <div dangerouslySetInnerHTML={{ __html: post.html }} />
    </>
  );
}
