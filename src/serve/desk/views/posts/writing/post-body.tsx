// The text of a post: in the editor, or as html in a plain field, which is the only way on servers that cannot render
// documents of the editor. Pictures that are dropped or pasted are uploaded and stand where the cursor is.
import { useRef, useState } from 'preact/hooks';
import type { Api } from '../../../api.ts';
import { useDesk } from '../../../context.ts';
import { Field } from '../../../ui/fields/field.tsx';
import { useAction } from '../../../ui/hooks.ts';
import { Outcome } from '../../../ui/outcome.tsx';
import { picturesOf, uploadImage } from '../../../upload.ts';
import { type AnyPost, type Body, documentOf, documentOfHtml } from './post-draft.ts';
import { PostEditor } from './post-editor.tsx';

type Props = {
  readonly post: AnyPost | null;
  /** What it begins with in place of the stored text. */
  readonly start: Body;
  readonly onChange: (body: Body) => void;
};

type BodyProps = Props & {
  /** A picture on its way has its place in what is shown now. */
  readonly isUploading: boolean;
  /** What the server lacks for the editor; null: nothing. */
  readonly installCommand: string | null;
};

type Text = NonNullable<Body>;
type Pair = { readonly html: string; readonly lexical: string };

const storedPair = (post: AnyPost | null): Pair => ({
  html: post?.html ?? '',
  lexical: documentOf(post),
});

/** The one card that stands for html of which no document was made. */
const isOneCard = ({ html, lexical }: Pair): boolean =>
  html !== '' && lexical === documentOfHtml(html);

/** The other way of writing a text. What is stored, or was converted before, is not converted again. */
const convert = async (api: Api, now: Text, known: readonly Pair[]): Promise<Pair> => {
  const isHtml = 'html' in now;
  const pair = known.find((one) =>
    isHtml ? one.html === now.html && !isOneCard(one) : one.lexical === now.lexical,
  );
  if (pair !== undefined) return pair;
  type Answer = { bodies: { html: string | null; lexical: string | null }[] };
  const { bodies } = await api.send<Answer>('POST', '/bodies/', { bodies: [now] });
  const html = bodies[0]?.html ?? '';
  if (isHtml) return { html: now.html, lexical: bodies[0]?.lexical ?? documentOfHtml(now.html) };
  return { html, lexical: now.lexical };
};

export const PostBody = (given: BodyProps) => {
  const { post, start, isUploading, installCommand, onChange } = given;
  const { api } = useDesk();
  const action = useAction();
  const [known, setKnown] = useState(() => [storedPair(post)]);
  const [shown, setShown] = useState<Text>(() => {
    const { html, lexical } = storedPair(post);
    return start ?? (installCommand === null ? { lexical } : { html });
  });
  const now = useRef(shown);
  const isHtml = 'html' in shown;
  const change = (text: Text): void => {
    now.current = text;
    onChange(text);
  };
  const turn = (): Promise<void> =>
    action.run(async () => {
      const pair = await convert(api, now.current, [...known, storedPair(post)]);
      setKnown((before) => [...before, pair]);
      const next = isHtml ? { lexical: pair.lexical } : { html: pair.html };
      setShown(next);
      change(next);
      return null;
    });
  return (
    <>
      {installCommand !== null && <Lacking installCommand={installCommand} isKept={!isHtml} />}
      {isHtml && <HtmlBody html={shown.html} onChange={(html) => change({ html })} />}
      {!isHtml && installCommand === null && (
        <PostEditor lexical={shown.lexical} onChange={(lexical) => change({ lexical })} />
      )}
      <Outcome {...action} />
      {installCommand === null && (
        <p>
          <button type="button" disabled={isUploading || action.isBusy} onClick={turn}>
            {isHtml ? 'Write in the editor' : 'Write as HTML'}
          </button>
        </p>
      )}
    </>
  );
};

type LackingProps = {
  readonly installCommand: string;
  /** Whether the browser has a text that only the editor can show. */
  readonly isKept: boolean;
};

const Lacking = ({ installCommand, isKept }: LackingProps) => (
  <div class="note">
    <p>
      The editor is off, because this server has no renderers for what it writes. Run this command
      where Prepress is installed, then load this page again.{' '}
      {isKept
        ? 'Unsaved text from the editor stays in this browser until then.'
        : 'Until then, write HTML.'}
    </p>
    <pre>
      <code>{installCommand}</code>
    </pre>
  </div>
);

type HtmlProps = { readonly html: string; readonly onChange: (html: string) => void };

const HtmlBody = ({ html: first, onChange }: HtmlProps) => {
  const { api } = useDesk();
  const action = useAction();
  const area = useRef<HTMLTextAreaElement>(null);
  const [html, setHtml] = useState(first);
  const change = (text: string): void => {
    setHtml(text);
    onChange(text);
  };
  const take = (event: Event, transfer: DataTransfer | null): void => {
    const files = picturesOf(transfer);
    if (files.length === 0) return;
    event.preventDefault();
    action.runNext(async () => {
      for (const file of files) {
        const { url } = await uploadImage(api, file);
        const element = area.current;
        if (element === null) continue;
        element.setRangeText(imageOf(url), element.selectionStart, element.selectionEnd, 'end');
        change(element.value);
      }
      return 'Picture uploaded.';
    });
  };
  return (
    <>
      <Field label="Text, as HTML" hint="Drop or paste pictures where they belong.">
        {(props) => (
          <textarea
            {...props}
            ref={area}
            class="body"
            rows={24}
            value={html}
            onInput={(event) => change(event.currentTarget.value)}
            onDragOver={(event) => event.preventDefault()}
            onDrop={(event) => take(event, event.dataTransfer)}
            onPaste={(event) => take(event, event.clipboardData)}
          />
        )}
      </Field>
      <Outcome {...action} />
    </>
  );
};

const imageOf = (url: string): string => `\n<img src="${url.replaceAll('"', '%22')}" alt="">\n`;
