// Members as CSV: a file taken in, or those that the list shows given out.
import { useState } from 'preact/hooks';
import { useDesk } from '../context.ts';
import { Field, TextField } from '../ui/field.tsx';
import { useAction } from '../ui/hooks.ts';
import { Outcome } from '../ui/outcome.tsx';
import { plural } from '../ui/words.ts';

type Props = {
  /** What the list shows: the export has the same. */
  readonly filter: string;
  readonly search: string;
  readonly onImported: () => void;
};

type Imported = {
  readonly meta: {
    readonly stats: {
      readonly imported: number;
      readonly invalid: readonly { readonly line?: number; readonly error: string }[];
    };
    readonly invalid_unlisted?: number;
    readonly warnings?: readonly string[];
  };
};

export const MemberFiles = ({ filter, search, onImported }: Props) => {
  const { api } = useDesk();
  const action = useAction();
  const [label, setLabel] = useState('');
  const [problems, setProblems] = useState<readonly string[]>([]);
  const download = (): Promise<void> =>
    action.run(async () => {
      const blob = await api.download('/members/upload/', { filter, search, limit: 'all' });
      const link = document.createElement('a');
      link.href = URL.createObjectURL(blob);
      link.download = 'members.csv';
      link.click();
      URL.revokeObjectURL(link.href);
      return 'The file is downloaded.';
    });
  const upload = (file: File): Promise<void> =>
    action.run(async () => {
      const form = new FormData();
      form.set('membersfile', file, file.name);
      if (label.trim() !== '') form.set('labels', label.trim());
      const { meta } = await api.send<Imported>('POST', '/members/upload/', form);
      const { imported, invalid } = meta.stats;
      const refused = invalid.length + (meta.invalid_unlisted ?? 0);
      setProblems([
        ...invalid.map(({ line, error }) =>
          line === undefined ? error : `Line ${line}: ${error}`,
        ),
        ...(meta.warnings ?? []),
      ]);
      onImported();
      return `${plural(imported, 'member')} imported, ${plural(refused, 'line')} not taken.`;
    });
  return (
    <details class="card">
      <summary>Import and export</summary>
      <button type="button" disabled={action.isBusy} onClick={download}>
        {filter === '' && search === '' ? 'Export all as CSV' : 'Export what is shown as CSV'}
      </button>
      <h2>Import</h2>
      <TextField
        label="Label for those who are imported"
        hint="May be empty."
        value={label}
        onChange={setLabel}
      />
      <Field label="CSV file" hint="As Ghost writes it: at least a column named email.">
        {(props) => (
          <input
            {...props}
            type="file"
            accept=".csv,text/csv"
            disabled={action.isBusy}
            onChange={(event) => {
              const [file] = event.currentTarget.files ?? [];
              if (file !== undefined) upload(file);
              event.currentTarget.value = '';
            }}
          />
        )}
      </Field>
      <Outcome {...action} />
      {problems.length > 0 && (
        <ul>
          {problems.map((problem) => (
            <li key={problem}>{problem}</li>
          ))}
        </ul>
      )}
    </details>
  );
};
