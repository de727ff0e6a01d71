// Runs the cards of Ghost's editor: toggles, players, galleries, and the names that assistive technology needs. It works on cards
// that come later, too, and once for each. A page that names an address in <html data-kg-signup="..."> has sign-up cards lead there.
const RATES = [1, 1.25, 1.5, 2, 0.75];

const clock = (seconds) => {
  const whole = Math.max(0, Math.floor(seconds)) || 0;
  const rest = [Math.floor(whole / 60) % 60, whole % 60].map((part) => `${part}`.padStart(2, '0'));
  const hours = Math.floor(whole / 3600);
  return hours > 0 ? `${hours}:${rest.join(':')}` : rest.join(':').replace(/^0/, '');
};

let ids = 0;

const runToggle = (card) => {
  const heading = card.querySelector('.kg-toggle-heading');
  const title = card.querySelector('.kg-toggle-heading-text');
  const button = card.querySelector('.kg-toggle-card-icon');
  const content = card.querySelector('.kg-toggle-content');
  if (!heading || !button || !content) return;
  ids += 1;
  content.id ||= `kg-toggle-${ids}`;
  button.type = 'button';
  button.setAttribute('aria-controls', content.id);
  if (title) button.setAttribute('aria-label', title.textContent.trim());
  const show = (isOpen) => {
    card.dataset.kgToggleState = isOpen ? 'open' : 'close';
    button.setAttribute('aria-expanded', String(isOpen));
  };
  show(card.dataset.kgToggleState === 'open');
  heading.addEventListener('click', (event) => {
    if (!event.target.closest('a')) show(card.dataset.kgToggleState !== 'open');
  });
};

const runPlayer = (card, kind) => {
  const media = card.querySelector(kind);
  const find = (name) => card.querySelector(`.kg-${kind}-${name}`);
  const [play, pause, seek] = ['play-icon', 'pause-icon', 'seek-slider'].map(find);
  if (!media || !play || !pause || !seek) return;
  const [sounding, silent, volume] = ['unmute-icon', 'mute-icon', 'volume-slider'].map(find);
  const [now, length, rate] = ['current-time', 'duration', 'playback-rate'].map(find);
  /** Shows one of two buttons, and leaves the keyboard where it was. */
  const swap = (shown, hidden) => {
    const hadFocus = document.activeElement === hidden;
    shown?.classList.remove(`kg-${kind}-hide`);
    hidden?.classList.add(`kg-${kind}-hide`);
    if (hadFocus) shown?.focus();
  };
  const showLength = (seconds) => {
    if (!Number.isFinite(seconds) || seconds <= 0) return;
    if (length) length.textContent = clock(seconds);
    seek.max = seconds;
    seek.step = seconds > 100 ? Math.round(seconds / 100) : 'any';
  };
  /** The part of its track that is behind the thumb. */
  const showDone = (slider) =>
    slider?.style.setProperty('--_done', `${(100 * slider.value) / slider.max}%`);
  const showTime = () => {
    if (now) now.textContent = clock(media.currentTime);
    seek.value = media.currentTime;
    showDone(seek);
    seek.setAttribute('aria-valuetext', `${clock(media.currentTime)} / ${length?.textContent}`);
  };
  const showSound = () => {
    if (media.muted) swap(silent, sounding);
    else swap(sounding, silent);
    if (volume) volume.value = media.muted ? 0 : media.volume * 100;
    showDone(volume);
  };
  const label = (element, text) => element?.setAttribute('aria-label', text);
  label(seek, 'Position');
  label(volume, 'Volume');
  // Ghost names them by what they show.
  label(sounding, 'Mute');
  label(silent, 'Unmute');
  for (const button of card.querySelectorAll('button')) button.type = 'button';
  if (length && /^[\d.]+$/.test(length.textContent)) showLength(Number(length.textContent));
  showLength(media.duration);
  showTime();
  showDone(volume);

  const start = () => media.play().catch(() => undefined);
  play.addEventListener('click', start);
  pause.addEventListener('click', () => media.pause());
  const large = find('large-play-icon');
  large?.addEventListener('click', start);
  if (kind === 'video') {
    media.addEventListener('click', () => (media.paused ? start() : media.pause()));
  }
  seek.addEventListener('input', () => {
    media.currentTime = Number(seek.value);
    showTime();
  });
  sounding?.addEventListener('click', () => {
    media.muted = true;
  });
  silent?.addEventListener('click', () => {
    media.muted = false;
  });
  volume?.addEventListener('input', () => {
    media.volume = volume.value / 100;
    media.muted = media.volume === 0;
  });
  const showRate = () => {
    if (!rate) return;
    rate.textContent = `${media.playbackRate}×`;
    label(rate, `Speed ${rate.textContent}`);
  };
  showRate();
  rate?.addEventListener('click', () => {
    media.playbackRate = RATES[(RATES.indexOf(media.playbackRate) + 1) % RATES.length];
  });
  media.addEventListener('ratechange', showRate);
  media.addEventListener('play', () => {
    swap(pause, play);
    if (large && document.activeElement === large) pause.focus();
    card.dataset.kgPlaying = '';
    if (media.muted) return;
    for (const other of document.querySelectorAll('.kg-card :is(audio, video)')) {
      if (other !== media && !other.muted) other.pause();
    }
  });
  media.addEventListener('pause', () => {
    swap(play, pause);
    delete card.dataset.kgPlaying;
  });
  media.addEventListener('timeupdate', showTime);
  media.addEventListener('volumechange', showSound);
  media.addEventListener('durationchange', () => showLength(media.duration));
  // One that is higher than wide is not as wide as the text.
  if (ratioOf(media) < 1) setRatio(media.parentElement, media);
  // A loop has no controls of its own: who wants no motion starts it.
  if (media.autoplay && matchMedia('(prefers-reduced-motion: reduce)').matches) {
    media.autoplay = false;
    media.pause();
    find('player-container')?.classList.remove('kg-video-hide');
  }
};

const ratioOf = (element) => {
  const [width, height] = ['width', 'height'].map((name) => Number(element.getAttribute(name)));
  return width > 0 && height > 0 ? width / height : null;
};

/** `at` is laid out by the proportions of what it holds. */
const setRatio = (at, element) => {
  const ratio = ratioOf(element);
  if (ratio !== null) at.style.setProperty('--_ratio', ratio);
};

const runGallery = (card) => {
  for (const cell of card.querySelectorAll('.kg-gallery-image')) {
    const image = cell.querySelector('img');
    if (image) setRatio(cell, image);
  }
};

const runEmbed = (card) => {
  for (const frame of card.querySelectorAll('iframe')) {
    setRatio(frame, frame);
    frame.title ||= card.querySelector('figcaption')?.textContent || 'Embedded content';
  }
};

const runCallToAction = (card) => {
  const image = card.querySelector('img[data-image-dimensions]');
  const [width, height] = image?.dataset.imageDimensions.split('x') ?? [];
  if (width > 0 && height > 0) Object.assign(image, { width, height });
};

const runProduct = (card) => {
  const rating = card.querySelector('.kg-product-card-rating');
  const stars = card.querySelectorAll('.kg-product-card-rating-active').length;
  rating?.setAttribute('role', 'img');
  rating?.setAttribute('aria-label', `${stars} / 5`);
};

const signup = () => document.documentElement.dataset.kgSignup;

/** Nobody answers the form on a page without Ghost: its button leads to where somebody does. */
const runSignup = (card) => {
  const fields = card.querySelector('.kg-signup-card-fields');
  const button = card.querySelector('.kg-signup-card-button');
  if (!signup() || !fields || !button) return;
  const link = document.createElement('a');
  link.href = signup();
  link.className = button.className;
  link.style.cssText = button.style.cssText;
  link.textContent = button.querySelector('.kg-signup-card-button-default')?.textContent ?? '';
  fields.replaceChildren(link);
  card.querySelector('form')?.replaceWith(fields);
};

const KINDS = {
  toggle: runToggle,
  audio: (card) => runPlayer(card, 'audio'),
  video: (card) => runPlayer(card, 'video'),
  gallery: runGallery,
  embed: runEmbed,
  transistor: runEmbed,
  cta: runCallToAction,
  product: runProduct,
  signup: runSignup,
};

const done = new WeakSet();

const run = (card) => {
  if (done.has(card)) return;
  done.add(card);
  for (const [kind, runKind] of Object.entries(KINDS)) {
    if (card.classList.contains(`kg-${kind}-card`)) runKind(card);
  }
  for (const image of card.querySelectorAll('img:not([alt])')) image.alt = '';
  for (const code of card.querySelectorAll('pre')) code.tabIndex = 0;
  for (const link of card.querySelectorAll('a[href*="#/portal/signup"]')) {
    if (signup() && link.host === location.host) link.href = signup();
  }
};

const runAll = () => {
  // Ghost's own script beside it does this, where it may run and does.
  for (const frame of document.querySelectorAll('[data-kg-transistor-embed]:not([src])')) {
    const { src = '' } = frame.dataset;
    if (/^https:\/\//i.test(src)) frame.src = src;
  }
  for (const card of document.querySelectorAll('.kg-card')) {
    try {
      run(card);
    } catch (error) {
      // Html of an author may be no card at all: those after it still run.
      console.warn(error);
    }
  }
};

// Not where a page is rendered by a server.
if (typeof document !== 'undefined') {
  runAll();
  document.addEventListener('DOMContentLoaded', runAll);
  new MutationObserver(runAll).observe(document, { childList: true, subtree: true });
  // Ghost's own handler at these pictures is forbidden where the policy of a page is strict.
  document.addEventListener(
    'error',
    ({ target }) => {
      const thumbnail = target.closest?.('.kg-bookmark-thumbnail');
      if (thumbnail) thumbnail.hidden = true;
      else if (target.matches?.('.kg-bookmark-icon')) target.hidden = true;
    },
    true,
  );
}
