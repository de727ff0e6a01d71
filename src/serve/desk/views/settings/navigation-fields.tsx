// One navigation of the pages for readers: links in their order, each with its words and where it leads.
import { useId } from 'preact/hooks';
import { OrderedList } from '../../ui/fields/ordered-list.tsx';
import { type NavigationLink, parseNavigation } from './settings-draft.ts';

type Props = {
  readonly label: string;
  /** JSON. */
  readonly value: string;
  readonly onChange: (value: string) => void;
};

export const NavigationFields = ({ label, value, onChange }: Props) => {
  const id = useId();
  const links = parseNavigation(value);
  const change = (next: readonly NavigationLink[]): void => onChange(JSON.stringify(next));
  const set = (at: number, part: Partial<NavigationLink>): void =>
    change(links.map((link, other) => (other === at ? { ...link, ...part } : link)));
  return (
    <section class="card" aria-labelledby={id}>
      <h2 id={id}>{label}</h2>
      <OrderedList
        label={label}
        items={links}
        nameOf={(link, at) => link.label || `link ${at + 1}`}
        onChange={change}
      >
        {(link, at) => (
          <span class="link-fields">
            <input
              type="text"
              aria-label={`Label of link ${at + 1}`}
              placeholder="Label"
              required={link.url !== ''}
              maxLength={191}
              value={link.label}
              onInput={(event) => set(at, { label: event.currentTarget.value })}
            />
            <input
              type="text"
              aria-label={`Address of link ${at + 1}`}
              placeholder="Address, such as /about/"
              required={link.label !== ''}
              maxLength={2000}
              value={link.url}
              onInput={(event) => set(at, { url: event.currentTarget.value })}
            />
          </span>
        )}
      </OrderedList>
      <button type="button" onClick={() => change([...links, { label: '', url: '' }])}>
        Add a link
      </button>
    </section>
  );
};
