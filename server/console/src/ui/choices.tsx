import './fields.css';
import type { ReactNode } from 'react';
import { Checkbox as AriaCheckbox, type CheckboxProps } from 'react-aria-components/Checkbox';
import { CheckboxGroup as AriaCheckboxGroup } from 'react-aria-components/CheckboxGroup';
import { Label } from 'react-aria-components/Label';
import { RadioGroup as AriaRadioGroup, Radio } from 'react-aria-components/RadioGroup';
import { Switch as AriaSwitch } from 'react-aria-components/Switch';
import { Text } from 'react-aria-components/Text';
import { Problem } from './problem';

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

const Mark = ({ ticked = false }: { ticked?: boolean }) => (
  <span className="mark" aria-hidden="true">
    {ticked && '✓'}
  </span>
);

/** A checkbox in a form; it takes effect when the form is saved. */
export function Checkbox({ label, hint, value, ...rest }: OnOff & Pick<CheckboxProps, 'isIndeterminate'>) {
  return (
    <AriaCheckbox {...rest} isSelected={value} className="choice" validationBehavior="aria">
      <Mark ticked={value} />
      <Words label={label} hint={hint} />
    </AriaCheckbox>
  );
}

/** A switch; it takes effect at once, or turns a setting of a form on and off. */
export function Switch({ label, hint, value, ...rest }: OnOff) {
  return (
    <AriaSwitch {...rest} isSelected={value} className="choice switch">
      <Mark />
      <Words label={label} hint={hint} />
    </AriaSwitch>
  );
}

interface Group<Key extends string> {
  label: string;
  name?: string;
  description?: ReactNode;
  /** `[key, label, explanation]`. */
  options: readonly (readonly [Key, string, string?])[];
  isDisabled?: boolean;
}

/** Label, description, options and error of a group. */
const GroupFrame = ({
  label,
  description,
  children,
}: Pick<Group<never>, 'label' | 'description'> & { children: ReactNode }) => (
  <>
    <Label className="legend">{label}</Label>
    {description !== undefined && (
      <Text slot="description" className="hint">
        {description}
      </Text>
    )}
    {children}
    <Problem />
  </>
);

/** Selects one of a few visible options. */
export function RadioGroup<Key extends string>({
  label,
  description,
  options,
  value,
  onChange,
  ...rest
}: Group<Key> & { value: Key; onChange?: (value: Key) => void }) {
  return (
    <AriaRadioGroup
      {...rest}
      className="choices"
      value={value}
      onChange={(next) => onChange?.(next as Key)}
      validationBehavior="aria"
    >
      <GroupFrame label={label} description={description}>
        {options.map(([key, name, hint]) => (
          <Radio key={key} value={key} className="choice radio">
            <Mark />
            <Words label={name} hint={hint} />
          </Radio>
        ))}
      </GroupFrame>
    </AriaRadioGroup>
  );
}

/** Selects any of a few visible options; the value is in the order of selection. */
export function CheckboxGroup<Key extends string>({
  label,
  description,
  options,
  value,
  onChange,
  ...rest
}: Group<Key> & { value: readonly Key[]; onChange?: (value: Key[]) => void }) {
  return (
    <AriaCheckboxGroup
      {...rest}
      className="choices"
      value={[...value]}
      onChange={(next) => onChange?.(next as Key[])}
      validationBehavior="aria"
    >
      <GroupFrame label={label} description={description}>
        {options.map(([key, name, hint]) => (
          <AriaCheckbox key={key} value={key} className="choice">
            <Mark ticked={value.includes(key)} />
            <Words label={name} hint={hint} />
          </AriaCheckbox>
        ))}
      </GroupFrame>
    </AriaCheckboxGroup>
  );
}
