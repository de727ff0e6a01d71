// The list of members: searched, filtered, imported from CSV and exported as it is filtered.
import { useEffect, useRef, useState } from 'preact/hooks';
import { useDesk, useTime } from '../../context.ts';
import type { Desk, ListedMember, Paged } from '../../records.ts';
import { setQuery } from '../../route.ts';
import { Badge } from '../../ui/badge.tsx';
import { Failed } from '../../ui/failed.tsx';
import { SelectField, TextField } from '../../ui/fields/field.tsx';
import { useAction, useLoaded } from '../../ui/hooks.ts';
import { Outcome } from '../../ui/outcome.tsx';
import { Pager } from '../../ui/pager.tsx';
import { useSearch } from '../../ui/search.ts';
import { filterText } from '../../ui/words.ts';
import { MemberImport } from './member-import.tsx';
import { findImport } from './own-import.ts';

const LIMIT = 20;

const STATUSES = [
  ['', 'Any status'],
  ['free', 'Free'],
  ['paid', 'Paying'],
  ['comped', 'Complimentary'],
  ['gift', 'Gift'],
] as const;

const SUBSCRIPTIONS = [
  ['', 'Any'],
  ['true', 'With newsletters'],
  ['false', 'Without newsletters'],
] as const;

type Label = { readonly name: string; readonly slug: string };

export const MemberList = ({ query }: { readonly query: URLSearchParams }) => {
  const { api } = useDesk();
  const [status, subscribed, label, page] = ['status', 'subscribed', 'label', 'page'].map(
    (name) => query.get(name) ?? '',
  ) as [string, string, string, string];
  const { text, setText, search } = useSearch(query);
  const labels = useLoaded(
    () => api.get<{ labels: Label[] }>('/labels/', { limit: 100, order: 'name asc' }),
    [api],
  );
  const filter = [
    status && `status:${status}`,
    subscribed && `subscribed:${subscribed}`,
    label && `label:${filterText(label)}`,
  ]
    .filter(Boolean)
    .join('+');
  const { value, error, reload } = useLoaded(
    () =>
      api.get<Paged & { members: ListedMember[] }>('/members/', {
        limit: LIMIT,
        page,
        filter,
        search,
      }),
    [api, filter, search, page],
  );
  const reloadAll = (): void => {
    reload();
    labels.reload();
  };
  const choose = (name: string) => (chosen: string) => setQuery({ [name]: chosen, page: '' });
  const named = (labels.value?.labels ?? []).map(({ slug, name }) => [slug, name] as const);
  return (
    <>
      <div class="head">
        <h1>Members</h1>
        <a class="button main" href="#/members/new">
          New member
        </a>
      </div>
      <div class="filters">
        <TextField
          label="Search names and addresses"
          type="search"
          value={text}
          onChange={setText}
        />
        <SelectField label="Status" value={status} options={STATUSES} onChange={choose('status')} />
        <SelectField
          label="Newsletters"
          value={subscribed}
          options={SUBSCRIPTIONS}
          onChange={choose('subscribed')}
        />
        <SelectField
          label="Label"
          value={label}
          options={[['', 'Any label'], ...named]}
          onChange={choose('label')}
        />
      </div>
      <Failed error={error} />
      {value === null && error === null && <p>Loading…</p>}
      {value !== null && (
        <>
          <ul class="records">
            {value.members.map((member) => (
              <Row key={member.id} member={member} />
            ))}
          </ul>
          {value.meta.pagination.total === 0 && <p class="hint">No members found.</p>}
          <Pager pagination={value.meta.pagination} noun="member" />
        </>
      )}
      <BulkWork onDone={reloadAll} />
      <MemberFiles filter={filter} search={search} onImported={reloadAll} />
    </>
  );
};

const LOOK_MS = 2_000;

type WorkProps = { readonly onDone: () => void };

/** Imports, edits and deletes of many that are not done, whoever began them. */
const BulkWork = ({ onDone }: WorkProps) => {
  const { api } = useDesk();
  const { value } = useLoaded(() => api.get<{ desk: Desk }>('/desk/'), [api], LOOK_MS);
  const work = value?.desk.bulk_work ?? [];
  const count = useRef(0);
  useEffect(() => {
    if (work.length < count.current) onDone();
    count.current = work.length;
  }, [work.length]);
  return (
    <>
      {work.map((sentence) => (
        <p key={sentence} class="note">
          {sentence}
        </p>
      ))}
    </>
  );
};

const Row = ({ member }: { readonly member: ListedMember }) => {
  const time = useTime();
  return (
    <li>
      <Badge state={member.status} />
      <span class="grow">
        <a href={`#/members/${member.id}`}>{member.name || member.email}</a>
        {member.name && <span class="hint"> {member.email}</span>}
      </span>
      <span class="hint">
        {member.labels.map(({ name }) => name).join(', ')}
        {member.labels.length > 0 && ' · '}
        since {time(member.created_at)}
      </span>
    </li>
  );
};

type Props = {
  /** What the list shows: the export has the same. */
  readonly filter: string;
  readonly search: string;
  readonly onImported: () => void;
};

const MemberFiles = ({ filter, search, onImported }: Props) => {
  const { api } = useDesk();
  const action = useAction();
  const [isImporting] = useState(() => findImport() !== null);
  const download = (): Promise<void> =>
    action.run(async () => {
      const blob = await api.download('/members/upload/', { filter, search, limit: 'all' });
      const link = document.createElement('a');
      link.href = URL.createObjectURL(blob);
      link.download = 'members.csv';
      link.click();
      URL.revokeObjectURL(link.href);
      return 'File downloaded.';
    });
  return (
    <details class="card" open={isImporting}>
      <summary>Import and export</summary>
      <button type="button" disabled={action.isBusy} onClick={download}>
        {filter === '' && search === '' ? 'Export all as CSV' : 'Export what is shown as CSV'}
      </button>
      <Outcome {...action} />
      <MemberImport onImported={onImported} />
    </details>
  );
};
