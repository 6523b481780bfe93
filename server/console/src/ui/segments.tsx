import './preview-frame.css';
import { Button } from './button';

/** Buttons that switch between a few views of the same thing. */
export function Segments<Key extends string>({
  label,
  options,
  value,
  onChange,
}: {
  label: string;
  options: readonly (readonly [Key, string])[];
  value: Key;
  onChange: (value: Key) => void;
}) {
  return (
    // biome-ignore lint/a11y/useSemanticElements: a fieldset is for fields that are sent with a form
    <div className="segments" role="group" aria-label={label}>
      {options.map(([key, name]) => (
        <Button
          key={key}
          small
          className="segment"
          aria-pressed={key === value}
          onPress={() => onChange(key)}
        >
          {name}
        </Button>
      ))}
    </div>
  );
}
