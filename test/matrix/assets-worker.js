// Stands in for the asset server of Cloudflare: finds the file of a decoded path, redirects what is not in
// the one spelling of encodeURIComponent, tags bodies by their bytes, and reads no query. At the address of a folder it has
// the page of that folder. Where there is a home page, it answers the addresses of absent files, as on Pages.
const TYPES = {
  html: 'text/html; charset=utf-8',
  json: 'application/json',
  png: 'image/png',
  jpg: 'image/jpeg',
  jpeg: 'image/jpeg',
  gif: 'image/gif',
  webp: 'image/webp',
  avif: 'image/avif',
  svg: 'image/svg+xml',
  pdf: 'application/pdf',
  gz: 'application/gzip',
  txt: 'text/plain; charset=utf-8',
  bin: 'application/octet-stream',
};

export default {
  async fetch(request, env) {
    const { pathname } = new URL(request.url);
    let names;
    try {
      names = pathname.split('/').map(decodeURIComponent);
    } catch {
      return new Response(null, { status: 404 });
    }
    if (request.method !== 'GET' && request.method !== 'HEAD') {
      return new Response(null, { status: 405 });
    }
    const spelled = names.map(encodeURIComponent).join('/');
    const file = spelled.endsWith('/') ? `${spelled}index.html` : spelled;
    const found = await env.DISK.fetch(`http://disk${file}`);
    const type = TYPES[file.split('.').pop().toLowerCase()];
    if (found.status !== 200 || type === undefined) {
      const home = await env.DISK.fetch('http://disk/index.html');
      return home.status === 200
        ? new Response(home.body, { headers: { 'content-type': 'text/html; charset=utf-8' } })
        : new Response(null, { status: 404 });
    }
    if (spelled !== pathname) {
      return new Response(null, { status: 307, headers: { location: spelled } });
    }
    const body = await found.arrayBuffer();
    const digest = new Uint8Array(await crypto.subtle.digest('SHA-256', body));
    const etag = `"${[...digest].map((byte) => byte.toString(16).padStart(2, '0')).join('')}"`;
    const headers = { etag, 'content-type': type, 'cache-control': 'public, max-age=0' };
    if (request.headers.get('if-none-match') === etag) {
      return new Response(null, { status: 304, headers });
    }
    return new Response(request.method === 'HEAD' ? null : body, { headers });
  },
};
