// The text of a post: in the editor, or as html in a plain field, which is the only way on servers that cannot render
// documents of the editor. Pictures that are dropped or pasted are uploaded and stand where the cursor is.
import { useRef, useState } from 'preact/hooks';
import { useDesk } from '../../context.ts';
import { documentOfHtml } from '../../editor/document.ts';
import { Field } from '../../ui/field.tsx';
import { useAction } from '../../ui/hooks.ts';
import { Outcome } from '../../ui/outcome.tsx';
import { picturesOf, uploadImage } from '../../upload.ts';
import type { AnyPost, Body } from './post-draft.ts';
import { PostEditor } from './post-editor.tsx';

type Props = { readonly post: AnyPost | null; readonly onChange: (body: Body) => void };

type BodyProps = Props & {
  readonly isChanged: boolean;
  /** A picture on its way has its place in what is shown now. */
  readonly isUploading: boolean;
  /** What the server lacks for the editor; null: nothing. */
  readonly installCommand: string | null;
};

export const PostBody = (given: BodyProps) => {
  const { post, isChanged, isUploading, installCommand, onChange } = given;
  const [isHtml, setHtml] = useState(installCommand !== null);
  const change = (): void => {
    const question = 'Changes of the text that are not saved are lost. Go on?';
    if (isChanged && !confirm(question)) return;
    onChange(null);
    setHtml(!isHtml);
  };
  const props = { post, onChange };
  return (
    <>
      {installCommand !== null && <Lacking installCommand={installCommand} />}
      {isHtml ? (
        <HtmlBody {...props} />
      ) : (
        <PostEditor
          lexical={post?.lexical ?? documentOfHtml(post?.html ?? '')}
          onChange={(lexical) => onChange({ lexical })}
        />
      )}
      {installCommand === null && (
        <p>
          <button type="button" disabled={isUploading} onClick={change}>
            {isHtml ? 'Write in the editor' : 'Write as HTML'}
          </button>
        </p>
      )}
    </>
  );
};

const Lacking = ({ installCommand }: { readonly installCommand: string }) => (
  <div class="note">
    <p>
      The editor is off, because this server has no renderers for what it writes. Run this command
      where Prepress is installed, then load this page again. Until then, write HTML.
    </p>
    <pre>
      <code>{installCommand}</code>
    </pre>
  </div>
);

const HtmlBody = ({ post, onChange }: Props) => {
  const { api } = useDesk();
  const action = useAction();
  const area = useRef<HTMLTextAreaElement>(null);
  const [html, setHtml] = useState(post?.html ?? '');
  const change = (text: string): void => {
    setHtml(text);
    onChange({ html: text });
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
      return 'The picture is uploaded.';
    });
  };
  return (
    <>
      <Field label="Text, as HTML" hint={post?.lexical ? `${PICTURES} ${REPLACED}` : PICTURES}>
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

const PICTURES = 'Drop or paste pictures where they belong.';
const REPLACED = 'A change here replaces what the editor wrote, its cards included.';

const imageOf = (url: string): string => `\n<img src="${url.replaceAll('"', '%22')}" alt="">\n`;
