// What a post has beside its text.
import { useDesk } from '../../../context.ts';
import type { Tier } from '../../../records.ts';
import { CodeFields } from '../../../ui/fields/code-fields.tsx';
import { textOf } from '../../../ui/fields/draft.ts';
import { CheckField, SelectField, TextField } from '../../../ui/fields/field.tsx';
import { ImageField } from '../../../ui/fields/image-field.tsx';
import { MetaFields } from '../../../ui/fields/meta-fields.tsx';
import { addressHint } from '../../../ui/words.ts';
import { addressOf } from '../post-move.ts';
import type { AnyPost, Draft } from '../writing/post-draft.ts';
import { AuthorsField } from './authors-field.tsx';
import { PostTiers } from './post-tiers.tsx';
import { TagsField } from './tags-field.tsx';
import { visibilitiesFor } from './visibilities.ts';

type Props = {
  readonly draft: Draft;
  /** As it is stored; null for a new one. */
  readonly post: AnyPost | null;
  readonly tiers: readonly Tier[];
  /** Called with what was changed: a picture arrives while other fields are typed into. */
  readonly onChange: (changes: Partial<Draft>) => void;
  readonly onTyping: (isTyping: boolean) => void;
  readonly isPage: boolean;
  /** The pattern of addresses of posts. */
  readonly permalinks: string;
};

export const PostFields = (props: Props) => (
  <>
    <MainFields {...props} />
    <MoreFields {...props} />
  </>
);

const MainFields = (props: Props) => {
  const { draft, post, tiers, onChange: set, isPage, permalinks } = props;
  const text = textOf(draft, set);
  return (
    <section class="card">
      <h2 class="visually-hidden">Settings</h2>
      <ImageField
        label="Picture"
        value={draft.image}
        onChange={(image) =>
          set({ image, ...(image === '' && { imageAlt: '', feature_image_caption: '' }) })
        }
      />
      {draft.image !== '' && (
        <>
          <TextField label="Alt text" maxLength={191} {...text('imageAlt')} />
          <TextField label="Caption" maxLength={65_535} {...text('feature_image_caption')} />
        </>
      )}
      <TagsField {...text('tags')} onTyping={props.onTyping} />
      <TextField label="Excerpt" rows={3} maxLength={300} {...text('excerpt')} />
      <Slug {...{ draft, post, isPage, permalinks }} onChange={set} />
      <SelectField
        label="Access"
        value={draft.visibility}
        options={visibilitiesFor(post?.visibility ?? null)}
        onChange={(visibility) => set({ visibility })}
      />
      {draft.visibility === 'tiers' && (
        <PostTiers
          tiers={tiers}
          chosen={draft.tiers}
          onChange={(chosen) => set({ tiers: chosen })}
        />
      )}
      {isPage ? (
        <CheckField
          label="Show title and picture"
          isChecked={draft.showsTitle}
          onChange={(showsTitle) => set({ showsTitle })}
        />
      ) : (
        <CheckField
          label="Featured"
          isChecked={draft.featured}
          onChange={(featured) => set({ featured })}
        />
      )}
      <AuthorsField value={draft.authors} onChange={(authors) => set({ authors })} />
    </section>
  );
};

const Slug = ({ draft, post, isPage, permalinks, onChange }: Omit<Props, 'tiers' | 'onTyping'>) => {
  const { site } = useDesk();
  const slug = draft.slug.trim();
  const root = isPage ? 'pages' : 'posts';
  const place = { root, permalinks, url: site?.url ?? '' } as const;
  const at = post?.published_at ?? new Date().toISOString();
  const isMoved = post?.status === 'published' && slug !== '' && slug !== post.slug;
  const address = post !== null && addressOf({ ...post, slug }, at, place);
  const ifEmpty = post === null ? 'is made from the title' : 'stays as it is';
  const made = `The last part of the address. If it is empty, it ${ifEmpty}.`;
  return (
    <>
      <TextField
        label="Slug"
        hint={slug === '' || !address ? made : addressHint(slug, address, post?.slug)}
        maxLength={191}
        value={draft.slug}
        onChange={(next) => onChange({ slug: next })}
      />
      {isMoved && (
        <p class="note" role="status">
          Readers have it at {post.url}. Links to that address, and what search engines know, will
          lead to “Page not found”, unless you redirect it at your host.
        </p>
      )}
    </>
  );
};

const MoreFields = ({ draft, post, onChange: set, isPage, permalinks }: Props) => {
  const { site } = useDesk();
  const text = textOf(draft, set);
  const place = { root: isPage ? 'pages' : 'posts', permalinks, url: site?.url ?? '' } as const;
  const at = post?.published_at ?? new Date().toISOString();
  const url = post === null ? place.url : addressOf(post, at, place);
  return (
    <>
      <MetaFields
        meta={draft}
        defaults={{
          title: draft.title || '(Untitled)',
          description: draft.excerpt || post?.excerpt || '',
          image: draft.image,
          url: draft.canonical_url || url,
        }}
        onChange={set}
      />
      <details class="card">
        <summary>Code, template and canonical address</summary>
        <TextField
          label="Canonical address"
          hint="Where it was first published, if not here. Search engines are sent there."
          maxLength={2000}
          {...text('canonical_url')}
        />
        <TextField
          label="Template"
          hint="A name for your own templates, such as custom-wide."
          maxLength={100}
          {...text('custom_template')}
        />
        <CodeFields draft={draft} onChange={set} />
      </details>
    </>
  );
};
