import { TextArea, TextField } from '../../ui';
import style from './banner.module.css';
import type { TextFieldOf } from './text-fields';

/** Longer texts get several lines, in characters. */
const ONE_LINE = 200;

/** Fields for some of the texts, folded together because there are many. */
export function TextGroup<Name extends string>({
  title,
  path,
  fields,
  own,
  usual,
  onChange,
}: {
  title: string;
  /** Where these texts are in the contract's body. */
  path: string;
  fields: readonly TextFieldOf<Name>[];
  own: Partial<Record<Name, string>>;
  /** What is shown for those that are empty. */
  usual: Partial<Record<Name, string>> | undefined;
  onChange: (part: Record<string, string>) => void;
}) {
  return (
    <details className={style.textGroup} open={title === 'First layer'}>
      <summary>{title}</summary>
      <div className="section-fields">
        {fields.map(([name, label, longest]) => {
          const props = {
            label,
            name: `${path}.${name}`,
            value: own[name] ?? '',
            onChange: (text: string) => onChange({ [name]: text }),
            placeholder: usual?.[name] ?? '',
            maxLength: longest,
          };
          return longest > ONE_LINE ? (
            <TextArea key={name} {...props} rows={longest > 500 ? 5 : 3} />
          ) : (
            <TextField key={name} {...props} />
          );
        })}
      </div>
    </details>
  );
}
