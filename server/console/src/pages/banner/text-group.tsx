import { TextArea, TextField } from '../../ui';
import style from './banner.module.css';
import type { TextFieldOf } from './text-fields';

/** The maximum length of a single-line field, in characters; longer texts get several lines. */
const ONE_LINE = 200;

/** A group of text fields that can be folded, because there are many. */
export function TextGroup<Name extends string>({
  title,
  path,
  fields,
  own,
  usual,
  onChange,
}: {
  title: string;
  /** The path of these texts in the request body. */
  path: string;
  fields: readonly TextFieldOf<Name>[];
  own: Partial<Record<Name, string>>;
  /** The built-in texts, shown for empty fields. */
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
