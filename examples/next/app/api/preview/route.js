// Where links to previews lead: previewLinks of Prepress is
// https://SITE/api/preview?uuid={uuid}&type={type}&token={token}
import { cookies, draftMode } from 'next/headers';
import { redirect } from 'next/navigation';
import { PREVIEW_COOKIE, readPreview } from '../../../lib/preview.js';

export async function GET(request) {
  const asked = Object.fromEntries(new URL(request.url).searchParams);
  const post = await readPreview(asked);
  if (post === null)
    return new Response('This link has ended: please ask for a new one.\n', { status: 403 });
  (await draftMode()).enable();
  (await cookies()).set(PREVIEW_COOKIE, JSON.stringify(asked), { httpOnly: true, path: '/' });
  // The address that stays in the browser has no token.
  redirect(`/${encodeURIComponent(post.slug)}/`);
}
