// Netlify's edge function in Deno: `edge-deno.js FUNCTION OUTPUT PORT`, with `context.next` over the files of a folder.
const [file, output, port] = Deno.args;
const edge = await import(file);
const TYPES = {
  html: 'text/html; charset=UTF-8',
  json: 'application/json',
  png: 'image/png',
  svg: 'image/svg+xml',
  pdf: 'application/pdf',
  gz: 'application/gzip',
  txt: 'text/plain; charset=utf-8',
};

const next = async (request) => {
  const { pathname } = new URL(request.url);
  try {
    const path = decodeURIComponent(pathname.replace(/\/$/, '/index.html'));
    if (/%2f|%5c|%00|\/\//i.test(pathname)) throw new Error('No such file.');
    const bytes = await Deno.readFile(`${output}${path}`);
    const digest = new Uint8Array(await crypto.subtle.digest('SHA-256', bytes));
    const etag = `"${digest.toHex?.() ?? [...digest].join('')}"`;
    const headers = {
      etag,
      'content-type': TYPES[path.split('.').pop()] ?? 'application/octet-stream',
    };
    const isKnown = request.headers.get('if-none-match') === etag;
    if (isKnown) return new Response(null, { status: 304, headers });
    return new Response(request.method === 'HEAD' ? null : bytes, { headers });
  } catch {
    return new Response('Not Found', { status: 404 });
  }
};

Deno.serve({ hostname: '127.0.0.1', port: Number(port) }, (request) =>
  edge.default(request, { next }),
);
