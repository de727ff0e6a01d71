// Members taken in from a CSV: the file is read here first, and nothing of it is sent before somebody agreed.
import { useEffect, useRef, useState } from 'preact/hooks';
import { type Api, isRefusal, sentenceOf } from '../../api.ts';
import { useDesk } from '../../context.ts';
import { countLines } from '../../csv-lines.ts';
import type { ImportedMembers, MemberJob } from '../../records.ts';
import { useUnsaved } from '../../route.ts';
import { Field, TextField } from '../../ui/fields/field.tsx';
import { type Action, useAction } from '../../ui/hooks.ts';
import { Outcome } from '../../ui/outcome.tsx';
import { number, plural } from '../../ui/words.ts';
import { findImport, keepImport } from './own-import.ts';

type Imported = { readonly meta: ImportedMembers };

/** Of a long import. */
type Job = Omit<MemberJob, 'result'> & { readonly result: Imported | null };

const LOOK_MS = 1_000;

/** Looks how far it is until it has ended, also while the server is started again, which goes on with it. */
const waitFor = async (
  { get }: Api,
  id: string,
  { signal, onLook }: { signal: AbortSignal; onLook: (sentence: string) => void },
): Promise<Imported> => {
  for (;;) {
    const job = await get<{ job: Job }>(`/members/bulk/${id}/`).then(
      (answer) => answer.job,
      (error: unknown) => {
        if (isRefusal(error)) throw error;
        return null;
      },
    );
    signal.throwIfAborted();
    if (job !== null) {
      if (job.result !== null) return job.result;
      if (job.state === 'failed')
        throw new Error(job.error ?? 'The import stopped before it was done.');
      onLook(`${number(job.members_done)} of ${plural(job.members_total, 'member')} imported…`);
    }
    await new Promise((resolve) => setTimeout(resolve, LOOK_MS));
  }
};

type Chosen = { readonly file: File; readonly lines: number };

export const MemberImport = ({ onImported }: { readonly onImported: () => void }) => {
  const { api } = useDesk();
  const action = useAction();
  const [label, setLabel] = useState('');
  const [ignored, setIgnored] = useState('');
  const [chosen, setChosen] = useState<Chosen | null>(null);
  const [progress, setProgress] = useState<string | null>(null);
  const [problems, setProblems] = useState<readonly string[]>([]);
  const input = useRef<HTMLInputElement>(null);
  const [ending] = useState(() => new AbortController());
  const leave = (): void => {
    setChosen(null);
    if (input.current !== null) input.current.value = '';
  };
  const choose = (file: File | undefined): Promise<void> =>
    action.run(async () => {
      setChosen(null);
      setProblems([]);
      keepImport(null);
      if (file === undefined) return null;
      const lines = await countLines(file);
      if (lines > 0) {
        setChosen({ file, lines });
        return null;
      }
      leave();
      throw new Error(emptyWords(file));
    });
  const follow = (id: string): Promise<Imported> =>
    waitFor(api, id, { signal: ending.signal, onLook: setProgress });
  const show = ({ meta }: Imported): string => {
    const { imported, invalid } = meta.stats;
    const refused = invalid.length + (meta.invalid_unlisted ?? 0);
    setProblems([
      ...invalid.map(({ line, error }) => (line === undefined ? error : `Line ${line}: ${error}`)),
      ...(meta.warnings ?? []),
    ]);
    const labelled = meta.import_label && ` with the label “${meta.import_label.name}”`;
    return `${plural(imported, 'member')} imported${labelled ?? ''}, ${plural(refused, 'line')} skipped.`;
  };
  useEffect(() => {
    const id = findImport();
    if (id !== null)
      void action.run(() =>
        follow(id).then(show, (error: unknown) => {
          if (!isRefusal(error)) throw error;
          // The server keeps it no longer.
          keepImport(null);
          return null;
        }),
      );
    return () => ending.abort();
  }, []);
  const dismiss = (): Promise<void> =>
    action.run(async () => {
      keepImport(null);
      setProblems([]);
      return null;
    });
  // Until the server has answered, nobody can ask what became of it.
  useUnsaved(action.doing !== null && progress === null, SENDING);
  const upload = ({ file }: Chosen): Promise<void> =>
    action.run(async () => {
      setProgress(null);
      if (await isChanged(file)) {
        leave();
        throw new Error(`${file.name} has changed since you chose it. Choose it again.`);
      }
      const form = new FormData();
      form.set('membersfile', file, file.name);
      if (label.trim() !== '') form.set('labels', label.trim());
      for (const column of ignored.split(',').map((one) => one.trim())) {
        if (column !== '') form.set(`mapping[${column}]`, 'ignore');
      }
      const answer = await api
        .send<Imported | { readonly job: Job }>('POST', '/members/upload/', form)
        .catch((error: unknown) => {
          throw new Error(sentenceOf(error).replace(UPLOADED, file.name));
        });
      if ('job' in answer) keepImport(answer.job.id);
      const imported = 'job' in answer ? await follow(answer.job.id) : answer;
      leave();
      onImported();
      return show(imported);
    }, 'Importing…');
  return (
    <>
      <h2>Import</h2>
      <TextField
        label="Label for imported members"
        hint="May be empty: each import also adds a label with its date and time."
        value={label}
        onChange={setLabel}
      />
      <TextField
        label="Columns to ignore"
        hint="May be empty. Names from the file's first line, with commas between them."
        value={ignored}
        onChange={setIgnored}
      />
      <Field
        label="CSV file"
        hint="From Ghost or a spreadsheet. The first line names the columns, one of them email."
      >
        {(props) => (
          <input
            {...props}
            ref={input}
            type="file"
            accept=".csv,text/csv"
            disabled={action.isBusy}
            // So that the same file can be chosen again.
            onClick={({ currentTarget }) => {
              currentTarget.value = '';
            }}
            onChange={(event) => choose(event.currentTarget.files?.[0])}
          />
        )}
      </Field>
      {chosen !== null && (
        <Agreement
          chosen={chosen}
          label={label.trim()}
          action={{ ...action, doing: action.doing && (progress ?? action.doing) }}
          onAgreed={() => upload(chosen)}
          onLeft={leave}
        />
      )}
      <Outcome {...action} />
      {problems.length > 0 && (
        <ul>
          {problems.map((problem) => (
            <li key={problem}>{problem}</li>
          ))}
        </ul>
      )}
      {(action.done ?? action.error) !== null && findImport() !== null && (
        <button type="button" onClick={dismiss}>
          Dismiss
        </button>
      )}
    </>
  );
};

const SENDING =
  'The file is still being sent, and its import may begin without you. If you leave, you may not see which lines it skips. Leave?';

/** Browsers send no file that was written since it was chosen. */
const isChanged = (file: File): Promise<boolean> =>
  file
    .slice(0, 1)
    .arrayBuffer()
    .then(
      () => false,
      () => true,
    );

/** What the server calls the file, whose name it does not know. */
const UPLOADED = /\bmembersfile\b/;

const emptyWords = ({ name, size }: File): string =>
  size === 0
    ? `${name} is empty. Choose another file.`
    : `${name} has no member: its first line is the header, which names the columns, and no line follows it.`;

type AgreementProps = {
  readonly chosen: Chosen;
  readonly label: string;
  readonly action: Pick<Action, 'isBusy' | 'doing'>;
  readonly onAgreed: () => void;
  readonly onLeft: () => void;
};

/** What will be done, before it is. */
const Agreement = ({ chosen, label, action, onAgreed, onLeft }: AgreementProps) => (
  <div class="note">
    <p role="status">
      {chosen.file.name} has {plural(chosen.lines, 'line')} below its header. Its members get{' '}
      {label === '' ? 'the label' : `the labels “${label}” and`} “Import” with the date and time.
    </p>
    <p class="buttons">
      <button type="button" class="main" disabled={action.isBusy} onClick={onAgreed}>
        {action.doing ?? `Import ${plural(chosen.lines, 'line')}`}
      </button>
      <button type="button" disabled={action.isBusy} onClick={onLeft}>
        Cancel
      </button>
    </p>
  </div>
);
