// Search in the page: the index is read when the search is first opened. Without this script the page has all but that.
const button = document.querySelector('.find');
const dialog = document.querySelector('dialog.search');
const source = document.querySelector('link[rel="search"][type="application/json"]');

if (button && dialog?.showModal && source) {
  const input = dialog.querySelector('input');
  const status = dialog.querySelector('.found');
  const list = dialog.querySelector('ol');
  const SHOWN = 20;
  let posts = null;

  const simple = (text) =>
    String(text ?? '')
      .normalize('NFKD')
      .replace(/\p{M}/gu, '')
      .toLowerCase();

  const load = async () => {
    const answer = await fetch(source.href);
    if (!answer.ok) throw new Error(`status ${answer.status}`);
    const { posts: found } = await answer.json();
    return found.map((post) => ({
      ...post,
      title_: simple(post.title),
      text: simple(post.excerpt),
    }));
  };

  const shortened = (text) =>
    text.length > 140 ? `${text.slice(0, 140).replace(/\s+\S*$/, '')}…` : text;

  const item = ({ title, excerpt, url }) => {
    const row = document.createElement('li');
    const link = document.createElement('a');
    const parsed = new URL(url, location.href);
    // The path alone: a preview stands at another host than the publication.
    link.href = parsed.pathname;
    link.textContent = title;
    const text = document.createElement('p');
    text.textContent = shortened(String(excerpt ?? ''));
    row.append(link, text);
    return row;
  };

  const show = () => {
    const words = simple(input.value).split(/\s+/).filter(Boolean);
    if (posts === null || words.length === 0) {
      list.replaceChildren();
      status.textContent = '';
      return;
    }
    const inTitle = (post) => words.every((word) => post.title_.includes(word));
    const matches = posts.filter((post) =>
      words.every((word) => post.title_.includes(word) || post.text.includes(word)),
    );
    const sorted = [...matches.filter(inTitle), ...matches.filter((post) => !inTitle(post))];
    list.replaceChildren(...sorted.slice(0, SHOWN).map(item));
    const more = sorted.length > SHOWN ? `, the first ${SHOWN} of them below` : '';
    status.textContent = `${sorted.length} ${sorted.length === 1 ? 'post' : 'posts'}${more}`;
  };

  const open = async () => {
    dialog.showModal();
    input.focus();
    if (posts !== null) return;
    status.textContent = 'Loading…';
    try {
      posts = await load();
      show();
    } catch {
      status.textContent = 'Search is not available at the moment.';
    }
  };

  button.hidden = false;
  button.addEventListener('click', open);
  input.addEventListener('input', show);
  input.addEventListener('keydown', (event) => {
    // It would press the button that closes.
    if (event.key !== 'Enter') return;
    event.preventDefault();
    list.querySelector('a')?.click();
  });
  document.addEventListener('keydown', (event) => {
    const isTyping = /^(?:INPUT|TEXTAREA|SELECT)$/.test(event.target.tagName);
    if (event.key === '/' && !isTyping && !dialog.open) {
      event.preventDefault();
      open();
    }
  });
}

// A picture that is not there leaves no empty frame, and no caption.
for (const image of document.querySelectorAll('img.thumb, .lead img')) {
  const hide = () => {
    (image.closest('figure.lead') ?? image).hidden = true;
    image.closest('.pictured')?.classList.remove('pictured');
  };
  image.addEventListener('error', hide);
  if (image.complete && image.naturalWidth === 0 && image.loading !== 'lazy') hide();
}

// Who reads by keyboard scrolls what is wider than its column.
const wide = new ResizeObserver((entries) => {
  for (const { target } of entries) {
    if (target.scrollWidth > target.clientWidth) target.tabIndex = 0;
  }
});
for (const one of document.querySelectorAll('.body :is(pre, table)')) wide.observe(one);
