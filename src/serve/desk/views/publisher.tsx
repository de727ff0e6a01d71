// What the publisher does now, how large the output is, and what the last build changed in it.
import { useTime } from '../context.ts';
import { Badge } from '../ui/badge.tsx';
import { number, plural, size } from '../ui/words.ts';
import type { FileNames, LastChange, PublisherView } from './publisher-view.ts';

export const Publisher = ({ state }: { readonly state: PublisherView }) => {
  const { progress, lastReport, lastError, lastChange, pages, tree } = state;
  const names = namesOf(state);
  return (
    <section class="card wide">
      <h2>
        Publisher <Badge state={state.state} />
      </h2>
      {progress !== null && (
        <p>
          <progress max={Math.max(1, progress.total)} value={progress.records} aria-label="Build" />{' '}
          {number(progress.records)} of about {number(progress.total)} records
        </p>
      )}
      {lastError !== null && <p class="failure">{lastError.message}</p>}
      {pages.lastError !== null && <p class="failure">{pages.lastError.message}</p>}
      <dl>
        {tree !== null && (
          <>
            <dt>Output</dt>
            <dd>
              {plural(tree.files, 'file')}, {size(tree.bytes)}
            </dd>
          </>
        )}
        {lastChange !== null && <Change {...lastChange} />}
      </dl>
      {names !== null && <Names {...names} />}
      {lastReport?.warnings
        // Every view shows it, as it is now.
        .filter((warning) => warning !== lastReport.clockWarning)
        .map((warning) => (
          <p key={warning} class="note">
            {warning}
          </p>
        ))}
    </section>
  );
};

/** Those of the last change, when the server itself made it. */
const namesOf = ({ lastChange, changedFiles }: PublisherView): FileNames | null =>
  changedFiles?.generation === lastChange?.generation ? (changedFiles?.names ?? null) : null;

const Change = ({ generation, finishedAt, records, milliseconds, files }: LastChange) => {
  const time = useTime();
  return (
    <>
      <dt>Last change</dt>
      <dd>
        {time(finishedAt)}, generation {number(generation)}: {plural(files.written, 'file')}{' '}
        written, {number(files.removed)} removed, {plural(records, 'record')} in{' '}
        {number(Math.round(milliseconds))} ms
      </dd>
    </>
  );
};

const NAMES_MAX = 60;
const PACKED = 'packed/';

/** Documents by their names; of the packed tree only how many of its files. */
const Names = ({ written, removed }: FileNames) => {
  const documents = written.filter((name) => !name.startsWith(PACKED));
  const gone = removed.filter((name) => !name.startsWith(PACKED));
  const packed = written.length - documents.length;
  const hidden = documents.length + gone.length - NAMES_MAX;
  return (
    <details>
      <summary>What changed</summary>
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: whoever has no mouse scrolls it by keys */}
      <ul class="plain names" tabIndex={0} aria-label="What changed">
        {documents.slice(0, NAMES_MAX).map((name) => (
          <li key={name}>
            <code>{name}</code>
          </li>
        ))}
        {gone.slice(0, Math.max(0, NAMES_MAX - documents.length)).map((name) => (
          <li key={name}>
            <code>{name}</code> removed
          </li>
        ))}
        {hidden > 0 && <li class="hint">and {number(hidden)} more</li>}
        {packed > 0 && <li class="hint">{plural(packed, 'file')} of the packed tree</li>}
      </ul>
    </details>
  );
};
