// What a post has beside its text.

import { useDesk } from '../../context.ts';
import { NAMES_HINT } from '../../name-list.ts';
import type { Tier } from '../../records.ts';
import { textOf } from '../../ui/draft.ts';
import { CheckField, SelectField, TextField } from '../../ui/field.tsx';
import { useAction } from '../../ui/hooks.ts';
import { Outcome } from '../../ui/outcome.tsx';
import { Picture } from '../../ui/picture.tsx';
import { uploadImage } from '../../upload.ts';
import type { Draft } from './post-draft.ts';
import { PostTiers } from './post-tiers.tsx';
import { visibilitiesFor } from './visibilities.ts';

type Props = {
  readonly draft: Draft;
  /** The visibility that is stored; null for a new post. */
  readonly stored: string | null;
  readonly tiers: readonly Tier[];
  /** Called with what was changed: a picture arrives while other fields are typed into. */
  readonly onChange: (changes: Partial<Draft>) => void;
  readonly isPage: boolean;
};

export const PostFields = ({ draft, stored, tiers, onChange: set, isPage }: Props) => {
  const { api } = useDesk();
  const text = textOf(draft, set);
  const action = useAction();
  const upload = (file: File): Promise<void> =>
    action.runNext(async () => {
      const { url } = await uploadImage(api, file);
      set({ image: url });
      return 'The picture is uploaded; save to keep it.';
    });
  return (
    <section class="card">
      <h2 class="visually-hidden">Settings</h2>
      <Picture
        label="Picture"
        url={draft.image}
        onFile={upload}
        onRemove={() => set({ image: '', imageAlt: '' })}
      />
      <Outcome {...action} />
      {draft.image !== '' && <TextField label="Alt text" maxLength={191} {...text('imageAlt')} />}
      <TextField
        label="Tags"
        hint={`${NAMES_HINT} The first tag is the main one.`}
        {...text('tags')}
      />
      <TextField label="Excerpt" rows={3} maxLength={300} {...text('excerpt')} />
      <TextField
        label="Slug"
        hint="The last part of the address."
        maxLength={191}
        {...text('slug')}
      />
      <SelectField
        label="Access"
        value={draft.visibility}
        options={visibilitiesFor(stored)}
        onChange={(visibility) => set({ visibility })}
      />
      {draft.visibility === 'tiers' && (
        <PostTiers
          tiers={tiers}
          chosen={draft.tiers}
          onChange={(chosen) => set({ tiers: chosen })}
        />
      )}
      {!isPage && (
        <CheckField
          label="Featured"
          isChecked={draft.featured}
          onChange={(featured) => set({ featured })}
        />
      )}
    </section>
  );
};
