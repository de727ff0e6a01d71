// The tiers whose members may read a post: paid ones, because nobody is in the free one by name; and those that it has.
import type { Tier } from '../../../records.ts';
import { CheckField } from '../../../ui/fields/field.tsx';
import { TIERLESS } from '../writing/post-draft.ts';

type Props = {
  readonly tiers: readonly Tier[];
  /** Ids. */
  readonly chosen: readonly string[];
  readonly onChange: (chosen: readonly string[]) => void;
};

export const PostTiers = ({ tiers, chosen, onChange }: Props) => (
  <fieldset class="choices">
    <legend>Tiers</legend>
    {tiers
      .filter(({ id, type, active }) => chosen.includes(id) || (type === 'paid' && active))
      .map(({ id, name, active }) => (
        <CheckField
          key={id}
          label={active ? name : `${name} (archived)`}
          isChecked={chosen.includes(id)}
          onChange={(isChecked) => {
            const others = chosen.filter((one) => one !== id);
            onChange(isChecked ? [...others, id].toSorted() : others);
          }}
        />
      ))}
    {chosen.length === 0 && <p class="hint">{TIERLESS}</p>}
  </fieldset>
);
