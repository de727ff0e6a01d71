// The text of a post: in the editor, or as html in a plain field, for servers that cannot render documents of
// the editor. Pictures that are dropped or pasted are uploaded and stand where the cursor is.
import { useRef, useState } from 'preact/hooks';
import { useDesk } from '../context.ts';
import { Field } from '../ui/field.tsx';
import { useAction } from '../ui/hooks.ts';
import { Outcome } from '../ui/outcome.tsx';
import { picturesOf, uploadImage } from '../upload.ts';
import type { AnyPost, Body } from './post-draft.ts';
import { PostEditor } from './post-editor.tsx';

type Props = { readonly post: AnyPost | null; readonly onChange: (body: Body) => void };

export const PostBody = ({
  post,
  isChanged,
  onChange,
}: Props & { readonly isChanged: boolean }) => {
  const [isHtml, setHtml] = useState(false);
  const change = (): void => {
    const question = 'Changes of the text that are not saved are lost. Go on?';
    if (isChanged && !confirm(question)) return;
    onChange(null);
    setHtml(!isHtml);
  };
  const props = { post, onChange };
  return (
    <>
      {isHtml ? <HtmlBody {...props} /> : <PostEditor {...props} />}
      <p>
        <button type="button" onClick={change}>
          {isHtml ? 'Write in the editor' : 'Write as HTML'}
        </button>
      </p>
    </>
  );
};

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
    action.run(async () => {
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
