import './colour-field.css';
import { type FieldProps, TextField } from './fields';

const COLOUR = /^#[0-9a-f]{6}$/i;

/** A colour as `#` and six hexadecimal digits, with a colour picker beside it. */
export function ColourField({
  value,
  onChange,
  ...props
}: FieldProps & { value: string; onChange: (value: string) => void }) {
  return (
    <div className="colour">
      <TextField {...props} value={value} onChange={onChange} maxLength={7} autoComplete="off" />
      <input
        type="color"
        className="colour-picker"
        aria-label={`${props.label}: pick`}
        value={COLOUR.test(value) ? value.toLowerCase() : '#000000'}
        onChange={(event) => onChange(event.target.value)}
      />
    </div>
  );
}
