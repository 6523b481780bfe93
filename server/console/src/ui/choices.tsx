import './fields.css';
import type { ReactNode } from 'react';
import { Checkbox as AriaCheckbox, type CheckboxProps } from 'react-aria-components/Checkbox';
import { FieldError } from 'react-aria-components/FieldError';
import { Label } from 'react-aria-components/Label';
import { RadioGroup as AriaRadioGroup, Radio } from 'react-aria-components/RadioGroup';
import { Switch as AriaSwitch } from 'react-aria-components/Switch';
import { Text } from 'react-aria-components/Text';

interface OnOff {
  label: ReactNode;
  hint?: ReactNode;
  name?: string;
  value: boolean;
  onChange?: (value: boolean) => void;
  isDisabled?: boolean;
}

const Words = ({ label, hint }: Pick<OnOff, 'label' | 'hint'>) => (
  <span>
    {label}
    {hint !== undefined && <span className="hint block">{hint}</span>}
  </span>
);

/** Part of a form: takes effect when the form is saved. */
export function Checkbox({ label, hint, value, ...rest }: OnOff & Pick<CheckboxProps, 'isIndeterminate'>) {
  return (
    <AriaCheckbox {...rest} isSelected={value} className="choice" validationBehavior="aria">
      <span className="mark" aria-hidden="true">
        {value && '✓'}
      </span>
      <Words label={label} hint={hint} />
    </AriaCheckbox>
  );
}

/** Takes effect at once, or switches a setting of a form on and off. */
export function Switch({ label, hint, value, ...rest }: OnOff) {
  return (
    <AriaSwitch {...rest} isSelected={value} className="choice switch">
      <span className="mark" aria-hidden="true" />
      <Words label={label} hint={hint} />
    </AriaSwitch>
  );
}

/** One of a few, all of them in view; each may be explained by a third text. */
export function RadioGroup<Key extends string>({
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
  value: Key;
  onChange?: (value: Key) => void;
  isDisabled?: boolean;
}) {
  return (
    <AriaRadioGroup
      {...rest}
      className="choices"
      value={value}
      onChange={(next) => onChange?.(next as Key)}
      validationBehavior="aria"
    >
      <Label className="legend">{label}</Label>
      {description !== undefined && (
        <Text slot="description" className="hint">
          {description}
        </Text>
      )}
      {options.map(([key, name, hint]) => (
        <Radio key={key} value={key} className="choice radio">
          <span className="mark" aria-hidden="true" />
          <Words label={name} hint={hint} />
        </Radio>
      ))}
      <FieldError className="field-error" />
    </AriaRadioGroup>
  );
}
