import './fields.css';
import { type ReactNode, type Ref, useState } from 'react';
import { Input, InputContext } from 'react-aria-components/Input';
import { Label } from 'react-aria-components/Label';
import { useContextProps } from 'react-aria-components/slots';
import { Text } from 'react-aria-components/Text';
import { TextArea as AriaTextArea } from 'react-aria-components/TextArea';
import { TextField as AriaTextField, type TextFieldProps } from 'react-aria-components/TextField';
import { Problem } from './problem';
import { fromWall, toWall, useZone, zoneName } from './zone';

/**
 * The properties of every field. `name` is the field's path in the request body, so that the server's errors
 * are shown at the field.
 */
export interface FieldProps {
  label: string;
  name?: string;
  /** Text below the label: what to enter, and why. */
  description?: ReactNode;
  isRequired?: boolean;
  /** Whether it may be empty depends on something; the description says on what. */
  isConditional?: boolean;
  isDisabled?: boolean;
  isReadOnly?: boolean;
}

interface Valued
  extends FieldProps,
    Omit<TextFieldProps, 'name' | 'children' | 'className' | 'isRequired' | 'isDisabled' | 'isReadOnly'> {
  placeholder?: string;
}

/** Label, description, control and error of any field. */
function Frame({
  label,
  description,
  isRequired,
  isConditional,
  children,
  ...rest
}: Valued & { children: ReactNode }) {
  const { placeholder: _, ...field } = rest;
  return (
    <AriaTextField {...field} className="field" validationBehavior="aria">
      <Label>
        {label}
        {!isRequired && !isConditional && !rest.isReadOnly && <span className="optional"> (optional)</span>}
      </Label>
      {description !== undefined && (
        <Text slot="description" className="hint">
          {description}
        </Text>
      )}
      {children}
      <Problem />
    </AriaTextField>
  );
}

/** One line of text. */
export function TextField(props: Valued) {
  return (
    <Frame {...props}>
      <Input className="control" placeholder={props.placeholder} />
    </Frame>
  );
}

/** Several lines of text. */
export function TextArea({ rows = 4, ...props }: Valued & { rows?: number }) {
  return (
    <Frame {...props}>
      <AriaTextArea className="control" rows={rows} placeholder={props.placeholder} />
    </Frame>
  );
}

/**
 * Selects one of a few options, with the browser's own control, which works with every keyboard, screen
 * reader and phone.
 */
export function Select<Key extends string>({
  options,
  value,
  onChange,
  ...props
}: Omit<Valued, 'value' | 'onChange' | 'defaultValue'> & {
  options: readonly (readonly [Key, string])[];
  value: Key;
  onChange?: (value: Key) => void;
}) {
  return (
    <Frame {...props} value={value} onChange={(next) => onChange?.(next as Key)}>
      <NativeSelect options={options} />
    </Frame>
  );
}

function NativeSelect({ options }: { options: readonly (readonly [string, string])[] }) {
  // The control of the text field, so that label, description and error belong to it.
  const [{ type: _, ...props }, ref] = useContextProps({ type: 'text' }, null, InputContext);
  return (
    <select {...(props as object)} ref={ref as Ref<never>} className="control">
      {options.map(([key, name]) => (
        <option key={key} value={key}>
          {name}
        </option>
      ))}
    </select>
  );
}

/** A date and time in the site's time zone. The value is an instant (ISO 8601, UTC), or ''. */
export function DateTimeField({
  value,
  onChange,
  ...props
}: Omit<Valued, 'value' | 'onChange'> & { value: string; onChange?: (iso: string) => void }) {
  const zone = useZone();
  // Keeps the text as typed: a half-typed year is a valid year too, and must not be overwritten.
  const [typed, setTyped] = useState(() => toWall(value, zone));
  const wall = fromWall(typed, zone) === value ? typed : toWall(value, zone);
  const short = zoneName(zone, value === '' ? undefined : Date.parse(value));
  return (
    <Frame
      {...props}
      value={wall}
      onChange={(next) => {
        setTyped(next);
        onChange?.(fromWall(next, zone));
      }}
      description={
        <>
          {props.description} {zone === short ? zone : `${zone} (${short})`}
        </>
      }
    >
      <Input className="control" type="datetime-local" />
    </Frame>
  );
}

/** A whole number, or undefined while the field is empty. */
export function NumberField({
  value,
  onChange,
  ...props
}: Omit<Valued, 'value' | 'onChange'> & { value?: number; onChange?: (value: number | undefined) => void }) {
  return (
    <Frame
      {...props}
      value={value === undefined ? '' : String(value)}
      onChange={(text) => {
        const digits = text.replace(/\D/g, '').slice(0, 12);
        onChange?.(digits === '' ? undefined : Number(digits));
      }}
    >
      <Input className="control number" inputMode="numeric" />
    </Frame>
  );
}
