// Stands in for Cloudflare's cache as workerd asks it: a GET is a look-up, a PUT carries an answer as it went over a wire.
const kept = new Map();

const splitAt = (bytes) => {
  for (let at = 0; at < bytes.length; at += 1) {
    if (bytes[at] === 13 && bytes[at + 2] === 13) return at;
  }
  return bytes.length;
};

export default {
  async fetch(request) {
    if (request.method === 'PUT') {
      const bytes = new Uint8Array(await request.arrayBuffer());
      const end = splitAt(bytes);
      const [, ...lines] = new TextDecoder().decode(bytes.subarray(0, end)).split('\r\n');
      const headers = lines.map((line) => [
        line.slice(0, line.indexOf(':')),
        line.slice(line.indexOf(':') + 1).trim(),
      ]);
      kept.set(request.url, { headers, body: bytes.slice(end + 4) });
      return new Response(null, { status: 204 });
    }
    const found = kept.get(request.url);
    if (found === undefined)
      return new Response(null, { status: 504, headers: { 'cf-cache-status': 'MISS' } });
    const headers = new Headers(found.headers);
    headers.set('cf-cache-status', 'HIT');
    return new Response(found.body, { headers });
  },
};
