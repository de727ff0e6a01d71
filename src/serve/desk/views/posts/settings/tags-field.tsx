// The tags of a post in their order, and a field that adds one: typed, or chosen among those that there are.
import { useEffect, useId, useState } from 'preact/hooks';
import { useDesk } from '../../../context.ts';
import { formatNames, NAMES_HINT, parseNames } from '../../../name-list.ts';
import { useUnsaved } from '../../../route.ts';
import { OrderedList } from '../../../ui/fields/ordered-list.tsx';
import { useLoaded, useSettled } from '../../../ui/hooks.ts';
import { filterText } from '../../../ui/words.ts';

type Props = {
  /** As name-list.ts writes them. */
  readonly value: string;
  readonly onChange: (value: string) => void;
  /** Whether a name is typed that is no tag yet: it becomes one once the field is left. */
  readonly onTyping: (isTyping: boolean) => void;
};

export const TagsField = ({ value, onChange, onTyping }: Props) => {
  const id = useId();
  const [typed, setTyped] = useState('');
  const names = parseNames(value).map(({ name }) => name);
  const isTyping = typed.trim() !== '';
  useUnsaved(isTyping);
  useEffect(() => onTyping(isTyping), [isTyping]);
  const suggested = useSuggested(typed).filter((name) => !names.includes(name));
  const add = (text: string): void => {
    const added = parseNames(text)
      .map(({ name }) => name)
      .filter((name) => !names.includes(name));
    if (added.length > 0) onChange(formatNames([...names, ...added]));
    setTyped('');
  };
  return (
    <div class="field">
      <label for={id}>Tags</label>
      <OrderedList
        label="Tags"
        items={names}
        nameOf={(name) => name}
        onChange={(next) => onChange(formatNames(next))}
      >
        {(name, at) => (
          <>
            {name} {at === 0 && <small>main tag</small>}
          </>
        )}
      </OrderedList>
      <input
        id={id}
        type="text"
        list={`${id}-list`}
        aria-describedby={`${id}-hint`}
        placeholder="Add a tag"
        autocomplete="off"
        value={typed}
        onInput={(event) => {
          const { currentTarget, inputType } = event as typeof event & { inputType?: string };
          const isChosen = inputType === undefined || inputType === 'insertReplacementText';
          if (isChosen && suggested.includes(currentTarget.value)) {
            add(formatNames([currentTarget.value]));
          } else setTyped(currentTarget.value);
        }}
        onKeyDown={(event) => {
          if (event.key !== 'Enter' || event.isComposing || typed.trim() === '') return;
          event.preventDefault();
          add(typed);
        }}
        onBlur={() => add(typed)}
      />
      <datalist id={`${id}-list`}>
        {suggested.map((name) => (
          <option key={name} value={name} />
        ))}
      </datalist>
      <small id={`${id}-hint`} class="hint">
        {NAMES_HINT} Enter adds them.
      </small>
    </div>
  );
};

const SUGGESTED = 20;

/** Those with the most posts, or those whose names have what is typed. */
const useSuggested = (typed: string): readonly string[] => {
  const { api } = useDesk();
  const search = useSettled(typed.trim());
  const { value } = useLoaded(
    () =>
      api.get<{ tags: { name: string }[] }>('/tags/', {
        ...{ limit: SUGGESTED, fields: 'name', order: 'count.posts desc' },
        ...(search !== '' && { filter: `name:~${filterText(search)}` }),
      }),
    [api, search],
  );
  return (value?.tags ?? []).map(({ name }) => name);
};
