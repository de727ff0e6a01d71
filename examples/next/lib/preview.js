// Reads what is not published with the token of a link. The companion server alone answers it: COMPANION_URL is its address.
export const PREVIEW_COOKIE = 'preview';

/** Null where the token ended. */
export const readPreview = async ({ type = 'post', uuid, token }) => {
  const { CONTENT_URL = 'http://127.0.0.1:4000', COMPANION_URL = CONTENT_URL } = process.env;
  const companion = COMPANION_URL.replace(/\/$/, '');
  const root = type === 'page' ? 'pages' : 'posts';
  const answer = await fetch(`${companion}/content/${root}/preview/${encodeURIComponent(uuid)}/`, {
    headers: { authorization: `Bearer ${token}` },
    cache: 'no-store',
  });
  return answer.ok ? (await answer.json())[root][0] : null;
};
