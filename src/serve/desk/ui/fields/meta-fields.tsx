// Fields for search engines and social networks, each group with a picture of what it makes.

import { hereOf } from '../here.ts';
import { TextField } from './field.tsx';
import { ImageField } from './image-field.tsx';
import {
  DESCRIPTION_MAX,
  META_LABELS,
  type Meta,
  type MetaDefaults,
  type MetaName,
  type Shown,
  shownBy,
  TITLE_MAX,
} from './meta-names.ts';

type Props = {
  readonly meta: Meta;
  readonly defaults: MetaDefaults;
  readonly onChange: (changes: Partial<Meta>) => void;
};

export const MetaFields = ({ meta, defaults, onChange }: Props) => {
  const shown = shownBy(meta, defaults);
  const text = (name: MetaName, placeholder: string) => (
    <TextField
      label={META_LABELS[name]}
      value={meta[name]}
      placeholder={placeholder}
      maxLength={name.endsWith('description') ? DESCRIPTION_MAX : TITLE_MAX}
      {...(name.endsWith('description') && { rows: 2 })}
      onChange={(value) => onChange({ [name]: value })}
    />
  );
  const image = (name: 'og_image' | 'twitter_image') => (
    <ImageField
      label={META_LABELS[name]}
      value={meta[name]}
      onChange={(url) => onChange({ [name]: url })}
    />
  );
  const { search, facebook, x } = shown;
  return (
    <>
      <details class="card">
        <summary>Search engines</summary>
        {text('meta_title', defaults.title)}
        {text('meta_description', defaults.description)}
        <SearchResult {...search} url={defaults.url} />
      </details>
      <details class="card">
        <summary>Facebook</summary>
        {image('og_image')}
        {text('og_title', search.title)}
        {text('og_description', search.description)}
        <SharedCard name="Facebook" {...facebook} url={defaults.url} />
      </details>
      <details class="card">
        <summary>X</summary>
        {image('twitter_image')}
        {text('twitter_title', search.title)}
        {text('twitter_description', search.description)}
        <SharedCard name="X" {...x} url={defaults.url} />
      </details>
    </>
  );
};

type ShownProps = Shown & { readonly url: string };

const SearchResult = ({ title, description, url }: ShownProps) => (
  <figure class="shown" aria-label="As a search result">
    <figcaption class="hint">As a search result</figcaption>
    <div class="shown-text">
      <small>
        {url
          .replace(/^https?:\/\//, '')
          .replace(/\/$/, '')
          .replaceAll('/', ' › ')}
      </small>
      <strong class="result-title">{cut(title, 60)}</strong>
      <span>{cut(description, 160)}</span>
    </div>
  </figure>
);

const SharedCard = ({ name, title, description, image, url }: ShownProps & { name: string }) => (
  <figure class="shown" aria-label={`As a card on ${name}`}>
    <figcaption class="hint">As a card on {name}</figcaption>
    {image !== '' && <img src={hereOf(image) ?? image} alt="" />}
    <div class="shown-text">
      <small>{URL.canParse(url) ? new URL(url).host : ''}</small>
      <strong>{cut(title, 90)}</strong>
      <span>{cut(description, 130)}</span>
    </div>
  </figure>
);

const cut = (text: string, most: number): string =>
  text.length <= most ? text : `${text.slice(0, most).trimEnd()}…`;
