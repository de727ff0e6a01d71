// The query builder of the page about the interface: an address, its answer, and code that asks the same.
const section = document.querySelector('.builder');
const form = section.querySelector('form');
const link = section.querySelector('.asked');
const status = section.querySelector('.status');
const answer = section.querySelector('.answer');
const code = section.querySelector('.client');
const SHOWN_MAX = 20_000;
// A preview adds the content key to each link. A post that loads this file with a form of its own gets no key sent away.
const key = new URL(link.href).searchParams.get('key');

const chosen = () => {
  const { resource, ...others } = Object.fromEntries(new FormData(form));
  const given = Object.entries(others).filter(([, value]) => value.trim() !== '');
  return { resource, options: resource === 'settings' ? [] : given };
};

const addressOf = ({ resource, options }) => {
  const address = new URL(`${form.dataset.root}${resource}/`, location.href);
  for (const [name, value] of options) address.searchParams.set(name, value.trim());
  return address;
};

const codeOf = ({ resource, options }) => {
  const given = options.map(
    ([name, value]) =>
      `  ${name}: ${/^\d+$/.test(value) ? value : JSON.stringify(value.trim())},\n`,
  );
  const call = given.length === 0 ? 'browse()' : `browse({\n${given.join('')}})`;
  return `import GhostContentAPI from '@tryghost/content-api';

const api = new GhostContentAPI({
  url: ${JSON.stringify(form.dataset.site.slice(0, -1))},
  key: 'YOUR CONTENT KEY',
  version: 'v6.0',
});
const ${resource} = await api.${resource}.${call};
`;
};

const show = async () => {
  const choice = chosen();
  const address = addressOf(choice);
  link.querySelector('code').textContent = decodeURIComponent(address.pathname + address.search);
  code.textContent = codeOf(choice);
  if (key && address.origin === location.origin) address.searchParams.set('key', key);
  link.href = address.href;
  try {
    const found = await fetch(address);
    const text = JSON.stringify(await found.json(), null, 2);
    status.textContent = `${found.status}, ${text.length.toLocaleString()} characters`;
    answer.textContent = text.length > SHOWN_MAX ? `${text.slice(0, SHOWN_MAX)}\n…` : text;
  } catch {
    status.textContent = 'No answer could be read.';
    answer.textContent = '';
  }
};

form.addEventListener('submit', (event) => {
  event.preventDefault();
  show();
});
form.addEventListener('change', show);
section.querySelector('.copy').addEventListener('click', async () => {
  const copied = section.querySelector('.copied');
  try {
    await navigator.clipboard.writeText(code.textContent);
    copied.textContent = 'Copied.';
  } catch {
    copied.textContent = 'The browser does not allow copying; select the code.';
  }
});
// The plain list, which counts as no query that somebody asked.
show();
