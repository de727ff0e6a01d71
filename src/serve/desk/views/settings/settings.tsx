// The settings of the publication: what it is called and looks like, its navigation, and what it says to others.
import { useState } from 'preact/hooks';
import type { Api } from '../../api.ts';
import { useDesk } from '../../context.ts';
import type { Desk, Setting } from '../../records.ts';
import { useUnsaved } from '../../route.ts';
import { Failed } from '../../ui/failed.tsx';
import { CodeFields } from '../../ui/fields/code-fields.tsx';
import { ColorField } from '../../ui/fields/color-field.tsx';
import { textOf, useDraft } from '../../ui/fields/draft.ts';
import { CheckField, SelectField, TextField } from '../../ui/fields/field.tsx';
import { Form, SendButton } from '../../ui/fields/form.tsx';
import { ImageField } from '../../ui/fields/image-field.tsx';
import { MetaFields } from '../../ui/fields/meta-fields.tsx';
import { Followed } from '../../ui/followed.tsx';
import { useAction, useLoaded } from '../../ui/hooks.ts';
import { Outcome } from '../../ui/outcome.tsx';
import { timeIn } from '../../ui/zone-time.ts';
import { useUploading } from '../../upload.ts';
import { visibilitiesFor } from '../posts/settings/visibilities.ts';
import { NavigationFields } from './navigation-fields.tsx';
import { changesOf, draftOf, type SettingsDraft } from './settings-draft.ts';

export const Settings = () => {
  const { api } = useDesk();
  const { value, error } = useLoaded(async () => {
    const [settings, { desk }] = await Promise.all([
      readSettings(api),
      api.get<{ desk: Desk }>('/desk/'),
    ]);
    return { settings, desk };
  }, [api]);
  if (value === null) return error === null ? <p>Loading…</p> : <Failed error={error} />;
  return <SettingsForm {...value} />;
};

type Answer = { readonly settings: readonly Setting[] };

const readSettings = async (api: Api): Promise<Answer['settings']> =>
  (await api.get<Answer>('/settings/')).settings;

type Props = Answer & { readonly desk: Desk };

const SettingsForm = ({ settings, desk }: Props) => {
  const { api, reload } = useDesk();
  const { before, draft, set, follow } = useDraft<SettingsDraft>(draftOf(settings));
  const text = textOf(draft, set);
  const action = useAction();
  const isUploading = useUploading();
  const changes = changesOf(before, draft);
  useUnsaved(changes.length > 0 || isUploading);
  const save = (): Promise<void> =>
    action.run(async () => {
      const answer = await api.send<Answer>('PUT', '/settings/', { settings: changes });
      follow(draftOf(answer.settings), draft);
      reload();
      return 'Saved. Readers see it in a few seconds.';
    });
  return (
    <Form>
      <div class="head">
        <h1>Settings</h1>
        {changes.length > 0 && <span class="hint">Not saved yet</span>}
      </div>
      <Followed desk={desk} what="publication" />
      <fieldset class="plain narrow" disabled={desk.follows !== null}>
        <Publication draft={draft} set={set} />
        <Pictures draft={draft} set={set} />
        <NavigationFields label="Navigation" {...text('navigation')} />
        <NavigationFields label="Secondary navigation" {...text('secondary_navigation')} />
        <Accounts draft={draft} set={set} />
        <More draft={draft} set={set} />
      </fieldset>
      <div class="save">
        <SendButton isDisabled={action.isBusy || isUploading || changes.length === 0} onSend={save}>
          Save
        </SendButton>
        <Outcome {...action} />
      </div>
    </Form>
  );
};

type PartProps = {
  readonly draft: SettingsDraft;
  readonly set: (changes: Partial<SettingsDraft>) => void;
};

const Publication = ({ draft, set }: PartProps) => {
  const text = textOf(draft, set);
  const [now] = useState(() => new Date().toISOString());
  const zones = Intl.supportedValuesOf('timeZone');
  const all = [...new Set(['Etc/UTC', draft.timezone, ...zones])].toSorted();
  return (
    <section class="card">
      <h2>Publication</h2>
      <TextField label="Title" maxLength={2000} {...text('title')} />
      <TextField label="Description" rows={2} maxLength={2000} {...text('description')} />
      <SelectField
        label="Time zone"
        hint={`There it is ${timeIn(now, draft.timezone)}.`}
        options={all.map((zone) => [zone, zone] as const)}
        {...text('timezone')}
      />
      <TextField
        label="Language"
        hint="A language code, such as en or pt-BR. Pages of right-to-left languages are laid out so."
        maxLength={50}
        required
        {...text('locale')}
      />
      <SelectField
        label="Who may read new posts"
        hint="A post may say otherwise."
        options={visibilitiesFor(draft.default_content_visibility)}
        {...text('default_content_visibility')}
      />
    </section>
  );
};

const Pictures = ({ draft, set }: PartProps) => {
  const text = textOf(draft, set);
  return (
    <section class="card">
      <h2>Appearance</h2>
      <ColorField label="Accent colour" {...text('accent_color')} />
      <ImageField label="Icon" {...text('icon')} />
      <ImageField label="Logo" {...text('logo')} />
      <ImageField label="Cover" {...text('cover_image')} />
    </section>
  );
};

const Accounts = ({ draft, set }: PartProps) => {
  const text = textOf(draft, set);
  return (
    <section class="card">
      <h2>Social accounts</h2>
      <TextField
        label="Facebook page"
        hint="Its name, as in facebook.com/name."
        maxLength={2000}
        {...text('facebook')}
      />
      <TextField label="X account" hint="Such as @name." maxLength={2000} {...text('twitter')} />
      <TextField
        label="Support address"
        hint="An e-mail address, or the part before its @."
        maxLength={191}
        required
        {...text('members_support_address')}
      />
    </section>
  );
};

const More = ({ draft, set }: PartProps) => {
  const { site } = useDesk();
  return (
    <>
      <MetaFields
        meta={draft}
        defaults={{
          ...{ title: draft.title, description: draft.description },
          ...{ image: draft.cover_image, url: site?.url ?? '' },
        }}
        onChange={set}
      />
      <details class="card">
        <summary>Code and links</summary>
        <CodeFields draft={draft} onChange={set} />
        <CheckField
          label="Name this publication in links to other sites (?ref=)"
          isChecked={draft.outbound_link_tagging}
          onChange={(outbound_link_tagging) => set({ outbound_link_tagging })}
        />
      </details>
    </>
  );
};
