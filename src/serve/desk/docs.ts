// The documentation page: swagger-ui over both documents, which asks with the admin key of this tab. The key that the
// desk has is this page's too.
import { BASE, createApi, sentenceOf } from './api.ts';
import { type AdminKey, dropKey, findKey, keepKey, parseKey, signToken } from './session.ts';

type Request = { url: string; headers: Record<string, string> };
type Bundle = ((options: object) => unknown) & { presets: { apis: unknown } };

declare const SwaggerUIBundle: Bundle;
declare const SwaggerUIStandalonePreset: unknown;

/** Of a request that the page tries out: only this server's admin interface is sent a token. */
const withToken = async (request: Request): Promise<Request> => {
  const key = findKey();
  const { origin, pathname } = new URL(request.url, location.href);
  const isAdmin = origin === location.origin && pathname.startsWith(`${BASE}/admin/`);
  if (key !== null && isAdmin) request.headers.authorization = `Ghost ${await signToken(key)}`;
  return request;
};

const find = <Kind extends HTMLElement>(id: string): Kind => document.getElementById(id) as Kind;

const form = find<HTMLFormElement>('sign-in');
const field = find<HTMLInputElement>('key');
const button = find<HTMLButtonElement>('enter');
const words = find('said');

const show = (key: AdminKey | null, said: string): void => {
  field.hidden = key !== null;
  for (const label of form.querySelectorAll('label')) label.hidden = key !== null;
  button.textContent = key === null ? 'Sign in' : 'Sign out';
  words.textContent = said;
};

const SIGNED_IN = 'You are signed in: requests that you try out carry a token.';
const NO_KEY = 'This is not an admin key. It has 24 characters, a colon and 64 characters.';

const enter = async (): Promise<void> => {
  if (findKey() !== null) {
    dropKey();
    return show(null, 'You are signed out.');
  }
  const key = parseKey(field.value);
  if (key === null) return show(null, NO_KEY);
  try {
    await createApi(key, () => undefined).get('/desk/');
    keepKey(key);
    field.value = '';
    show(key, SIGNED_IN);
  } catch (error) {
    show(null, sentenceOf(error));
  }
};

form.addEventListener('submit', (event) => {
  event.preventDefault();
  void enter();
});
const known = findKey();
show(known, known === null ? '' : SIGNED_IN);

SwaggerUIBundle({
  dom_id: '#page',
  urls: [
    { url: 'content.json', name: 'Content' },
    { url: 'admin.json', name: 'Admin' },
  ],
  presets: [SwaggerUIBundle.presets.apis, SwaggerUIStandalonePreset],
  layout: 'StandaloneLayout',
  validatorUrl: null,
  requestInterceptor: withToken,
});
