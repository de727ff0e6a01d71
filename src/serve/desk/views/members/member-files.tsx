// Members as CSV: a file taken in, or those that the list shows given out.
import { useDesk } from '../../context.ts';
import { useAction } from '../../ui/hooks.ts';
import { Outcome } from '../../ui/outcome.tsx';
import { MemberImport } from './member-import.tsx';

type Props = {
  /** What the list shows: the export has the same. */
  readonly filter: string;
  readonly search: string;
  readonly onImported: () => void;
};

export const MemberFiles = ({ filter, search, onImported }: Props) => {
  const { api } = useDesk();
  const action = useAction();
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
  return (
    <details class="card">
      <summary>Import and export</summary>
      <button type="button" disabled={action.isBusy} onClick={download}>
        {filter === '' && search === '' ? 'Export all as CSV' : 'Export what is shown as CSV'}
      </button>
      <Outcome {...action} />
      <MemberImport onImported={onImported} />
    </details>
  );
};
