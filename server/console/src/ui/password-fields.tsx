import { TextField } from './fields';

interface Props {
  label?: string;
  name: string;
  value: string;
  onChange: (value: string) => void;
  autoFocus?: boolean;
}

/** The user's current password. */
export const PasswordField = (props: Props) => (
  <TextField label="Password" {...props} type="password" autoComplete="current-password" isRequired />
);

/** A new password, with the rule for it; `note` is shown after the rule. */
export const NewPasswordField = ({ note = '', ...props }: Props & { note?: string }) => (
  <TextField
    label="Password"
    {...props}
    type="password"
    autoComplete="new-password"
    description={`At least 12 characters, not a common password.${note}`}
    isRequired
  />
);
