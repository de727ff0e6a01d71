// Code of the publication's own: pages for readers have it at their head and at their foot.
import { TextField } from './field.tsx';

type Code = { readonly codeinjection_head: string; readonly codeinjection_foot: string };

type Props = { readonly draft: Code; readonly onChange: (changes: Partial<Code>) => void };

const CODE_MAX = 65_535;

export const CodeFields = ({ draft, onChange }: Props) => (
  <div class="code">
    <TextField
      label="Code at the head of the page"
      rows={4}
      maxLength={CODE_MAX}
      value={draft.codeinjection_head}
      onChange={(codeinjection_head) => onChange({ codeinjection_head })}
    />
    <TextField
      label="Code at the foot of the page"
      hint="It runs on your host, not on this server."
      rows={4}
      maxLength={CODE_MAX}
      value={draft.codeinjection_foot}
      onChange={(codeinjection_foot) => onChange({ codeinjection_foot })}
    />
  </div>
);
