// The authors of a post in their order; a new one has the owner until another is chosen.
import { useDesk } from '../../../context.ts';
import { readNames } from '../../../read-names.ts';
import { SelectField } from '../../../ui/fields/field.tsx';
import { OrderedList } from '../../../ui/fields/ordered-list.tsx';
import { useLoaded } from '../../../ui/hooks.ts';

type Props = {
  /** Ids. */
  readonly value: readonly string[];
  readonly onChange: (value: readonly string[]) => void;
};

export const AuthorsField = ({ value, onChange }: Props) => {
  const { api } = useDesk();
  const users = useLoaded(() => readNames(api, 'users'), [api]).value ?? [];
  const nameOf = (id: string): string => users.find((user) => user.id === id)?.name ?? id;
  const others = users.filter(({ id }) => !value.includes(id));
  return (
    <div class="field">
      <strong>Authors</strong>
      <OrderedList label="Authors" items={value} nameOf={nameOf} itemsMin={1} onChange={onChange}>
        {(id) => nameOf(id)}
      </OrderedList>
      <SelectField
        label="Add an author"
        value=""
        options={[['', ''], ...others.map(({ id, name }) => [id, name] as const)]}
        onChange={(id) => onChange([...value, id])}
      />
    </div>
  );
};
