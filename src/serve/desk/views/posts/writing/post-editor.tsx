// The editor of posts within the desk: its code is loaded when a post is opened.
import { useEffect, useRef, useState } from 'preact/hooks';
import { useDesk } from '../../../context.ts';
import { uploadFile, uploadImage } from '../../../upload.ts';
import { cardConfig } from './card-config.ts';

type Props = {
  /** The document to begin with; what is saved later changes nothing in it. */
  readonly lexical: string;
  readonly onChange: (lexical: string) => void;
};

export const PostEditor = ({ lexical, onChange }: Props) => {
  const { api, site } = useDesk();
  const place = useRef<HTMLDivElement>(null);
  const latest = useRef(onChange);
  latest.current = onChange;
  // Another one after somebody signed in again.
  const sender = useRef(api);
  sender.current = api;
  const [words, setWords] = useState<string | null>('Loading the editor…');
  const [fault, setFault] = useState<string | null>(null);
  /** As it was reported last. */
  const written = useRef(lexical);
  const [opening, setOpening] = useState(0);
  const [hasCrashed, setCrashed] = useState(false);
  useEffect(() => {
    let end = (): void => undefined;
    let isGone = false;
    const mount = async (): Promise<void> => {
      const { mountEditor } = await import('../../../editor/mount-editor.tsx');
      if (isGone || place.current === null) return;
      setWords(null);
      end = mountEditor(place.current, {
        lexical: written.current,
        cards: cardConfig(() => sender.current, site),
        upload: (kind, file, fields) =>
          kind === 'image'
            ? uploadImage(sender.current, file)
            : uploadFile(sender.current, kind, { file, fields }),
        onChange: (text) => {
          written.current = text;
          latest.current(text);
        },
        onLeave: () => document.getElementById('post-title')?.focus(),
        onBroken: setWords,
        onCrash: () => setCrashed(true),
        onFault: setFault,
      });
    };
    mount().catch(() => setWords('The editor was not loaded. Load the page again.'));
    return () => {
      isGone = true;
      end();
    };
  }, [opening]);
  const openAgain = (): void => {
    setCrashed(false);
    setOpening((before) => before + 1);
  };
  const accent = site?.accent_color;
  return (
    <>
      {words !== null && <p role={words.startsWith('Loading') ? 'status' : 'alert'}>{words}</p>}
      {fault !== null && (
        <p class="note fault" role="alert">
          {fault}{' '}
          <button type="button" class="plain" onClick={() => setFault(null)}>
            Dismiss
          </button>
        </p>
      )}
      {hasCrashed && (
        <div class="note" role="alert">
          <p>The editor failed. What you wrote until then is kept.</p>
          <button type="button" onClick={openAgain}>
            Open it again
          </button>
        </div>
      )}
      <div ref={place} class="editor" style={accent ? { '--kg-accent-color': accent } : {}} />
    </>
  );
};
