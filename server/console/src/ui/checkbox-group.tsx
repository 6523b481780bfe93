import './fields.css';
import type { ReactNode } from 'react';
import { Checkbox } from 'react-aria-components/Checkbox';
import { CheckboxGroup as AriaCheckboxGroup } from 'react-aria-components/CheckboxGroup';
import { FieldError } from 'react-aria-components/FieldError';
import { Label } from 'react-aria-components/Label';
import { Text } from 'react-aria-components/Text';

/** Any of a few, all of them in view; the server's errors appear below them. */
export function CheckboxGroup<Key extends string>({
  label,
  description,
  options,
  value,
  onChange,
  ...rest
}: {
  label: string;
  name?: string;
  description?: ReactNode;
  options: readonly (readonly [Key, string, string?])[];
  value: readonly Key[];
  onChange?: (value: Key[]) => void;
  isDisabled?: boolean;
}) {
  return (
    <AriaCheckboxGroup
      {...rest}
      className="choices"
      value={[...value]}
      onChange={(next) => onChange?.(next as Key[])}
      validationBehavior="aria"
    >
      <Label className="legend">{label}</Label>
      {description !== undefined && (
        <Text slot="description" className="hint">
          {description}
        </Text>
      )}
      {options.map(([key, name, hint]) => (
        <Checkbox key={key} value={key} className="choice">
          <span className="mark" aria-hidden="true">
            {value.includes(key) && '✓'}
          </span>
          <span>
            {name}
            {hint !== undefined && <span className="hint block">{hint}</span>}
          </span>
        </Checkbox>
      ))}
      <FieldError className="field-error" />
    </AriaCheckboxGroup>
  );
}
