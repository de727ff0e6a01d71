// Writes and edits one tag. A name that begins with # makes it internal: posts have it, and readers do not see it.
import { useState } from 'preact/hooks';
import { saveFailure } from '../../api.ts';
import { useDesk } from '../../context.ts';
import type { Desk, Tag } from '../../records.ts';
import { go, useNameNew, useUnsaved } from '../../route.ts';
import { Failed } from '../../ui/failed.tsx';
import { CodeFields } from '../../ui/fields/code-fields.tsx';
import { ColorField } from '../../ui/fields/color-field.tsx';
import { textOf, useDraft } from '../../ui/fields/draft.ts';
import { TextField } from '../../ui/fields/field.tsx';
import { Form, SendButton } from '../../ui/fields/form.tsx';
import { ImageField } from '../../ui/fields/image-field.tsx';
import { MetaFields } from '../../ui/fields/meta-fields.tsx';
import { Followed } from '../../ui/followed.tsx';
import { useAction, useLoaded } from '../../ui/hooks.ts';
import { Outcome } from '../../ui/outcome.tsx';
import { addressHint } from '../../ui/words.ts';
import { useUploading } from '../../upload.ts';
import { changesOf, draftOf, type TagDraft } from './tag-draft.ts';

/** `id`: null for a new one. */
export const TagEdit = ({ id }: { readonly id: string | null }) => {
  const { api } = useDesk();
  const { value, error } = useLoaded(async () => {
    const [tag, { desk }] = await Promise.all([
      id === null ? null : api.get<{ tags: Tag[] }>(`/tags/${id}/`),
      api.get<{ desk: Desk }>('/desk/'),
    ]);
    return { tag: tag?.tags[0] ?? null, desk };
  }, [api, id]);
  if (value === null) return error === null ? <p>Loading…</p> : <Failed error={error} />;
  return <TagForm {...value} />;
};

type Props = { readonly tag: Tag | null; readonly desk: Desk };

const TagForm = ({ tag: loaded, desk }: Props) => {
  const form = useTagForm(loaded);
  const { tag, draft, set, action, isUploading } = form;
  const { site } = useDesk();
  const text = textOf(draft, set);
  const slug = draft.slug.trim();
  const isInternal = draft.name.startsWith('#');
  const isMoved = tag !== null && !isInternal && slug !== tag.slug;
  const url = tag !== null && !isMoved ? tag.url : `${site?.url ?? ''}tag/${slug}/`;
  return (
    <Form>
      <div class="head">
        <h1>{tag === null ? 'New tag' : 'Edit tag'}</h1>
      </div>
      <Followed desk={desk} what="tag" />
      <fieldset class="plain narrow" disabled={desk.follows !== null}>
        <section class="card">
          <TextField
            label="Name"
            hint="With # before it the tag is internal: readers do not see it."
            required
            maxLength={191}
            {...text('name')}
          />
          <TextField
            label="Slug"
            hint={hintOf({ slug, url, known: tag?.slug, isInternal })}
            maxLength={191}
            {...text('slug')}
          />
          {isMoved && (
            <p class="note" role="status">
              Links to {tag.url} will lead to no page, unless you redirect them at your host.
            </p>
          )}
          <TextField label="Description" rows={3} maxLength={500} {...text('description')} />
          <ImageField label="Picture" {...text('feature_image')} />
          <ColorField label="Colour" {...text('accent_color')} />
        </section>
        <MetaFields
          meta={draft}
          defaults={{
            title: [draft.name, site?.title].filter(Boolean).join(' - '),
            description: draft.description,
            image: draft.feature_image,
            url,
          }}
          onChange={set}
        />
        <details class="card">
          <summary>Code and canonical address</summary>
          <TextField
            label="Canonical address"
            hint="Where the page was first published, if not here."
            maxLength={2000}
            {...text('canonical_url')}
          />
          <CodeFields draft={draft} onChange={set} />
        </details>
      </fieldset>
      <div class="save">
        <SendButton isDisabled={action.isBusy || isUploading || !form.isChanged} onSend={form.save}>
          Save
        </SendButton>
        {tag !== null && desk.follows === null && (
          <button type="button" class="danger" disabled={action.isBusy} onClick={form.remove}>
            Delete
          </button>
        )}
        <Outcome {...action} />
      </div>
    </Form>
  );
};

type Hinted = {
  readonly slug: string;
  readonly url: string;
  /** The slug that is stored. */
  readonly known: string | undefined;
  readonly isInternal: boolean;
};

const hintOf = ({ slug, url, known, isInternal }: Hinted): string => {
  if (slug === '') return 'If it is empty, it is made from the name.';
  return isInternal ? 'An internal tag has no page.' : addressHint(slug, url, known);
};

const useTagForm = (loaded: Tag | null) => {
  const { api } = useDesk();
  const [tag, setTag] = useState(loaded);
  const { before, draft, set, follow } = useDraft<TagDraft>(draftOf(loaded));
  const action = useAction();
  const isUploading = useUploading();
  const changes = changesOf(before, draft);
  const isChanged = Object.keys(changes).length > 0;
  const giveUp = useUnsaved(isChanged || isUploading);
  const nameNew = useNameNew('tags');
  const save = (): Promise<void> =>
    action.run(async () => {
      const [method, path, known] =
        tag === null
          ? (['POST', '/tags/', {}] as const)
          : (['PUT', `/tags/${tag.id}/`, { updated_at: tag.updated_at }] as const);
      const element = { ...changes, ...known };
      const answer = await api
        .send<{ tags: Tag[] }>(method, path, { tags: [element] })
        .catch((error: unknown) => {
          throw tag === null ? error : saveFailure(error);
        });
      const [stored] = answer.tags;
      if (stored === undefined) throw new Error('The server answered no tag.');
      setTag(stored);
      follow(draftOf(stored), draft);
      if (tag === null) nameNew(stored.id);
      return 'Saved.';
    });
  const remove = (): Promise<void> =>
    action.run(async () => {
      const question = `Delete the tag "${tag?.name}"? Its posts stay, without it.`;
      if (tag === null || !confirm(question)) return null;
      await api.send('DELETE', `/tags/${tag.id}/`);
      giveUp();
      go('/tags');
      return null;
    });
  return { tag, draft, set, action, isUploading, isChanged, save, remove };
};
