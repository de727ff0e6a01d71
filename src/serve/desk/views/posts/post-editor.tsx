// The editor of posts within the desk: its code is loaded when a post is opened.
import { useEffect, useRef, useState } from 'preact/hooks';
import { useDesk } from '../../context.ts';
import { cardConfig } from '../../editor/cards.ts';
import { uploadFile, uploadImage } from '../../upload.ts';

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
  useEffect(() => {
    let end = (): void => undefined;
    let isGone = false;
    const mount = async (): Promise<void> => {
      const { mountEditor } = await import('../../editor/mount-editor.tsx');
      if (isGone || place.current === null) return;
      setWords(null);
      end = mountEditor(place.current, {
        lexical,
        cards: cardConfig(() => sender.current, site),
        upload: (kind, file, fields) =>
          kind === 'image'
            ? uploadImage(sender.current, file)
            : uploadFile(sender.current, kind, { file, fields }),
        onChange: (text) => {
          setWords(null);
          latest.current(text);
        },
        onLeave: () => document.getElementById('post-title')?.focus(),
        onBroken: setWords,
        onFault: setWords,
      });
    };
    mount().catch(() => setWords('The editor was not loaded. Load the page again.'));
    return () => {
      isGone = true;
      end();
    };
  }, []);
  const accent = site?.accent_color;
  return (
    <>
      {words !== null && <p role={words.startsWith('Loading') ? 'status' : 'alert'}>{words}</p>}
      <div ref={place} class="editor" style={accent ? { '--kg-accent-color': accent } : {}} />
    </>
  );
};
