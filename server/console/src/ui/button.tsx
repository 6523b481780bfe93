import './button.css';
import type { ReactNode } from 'react';
import { Button as AriaButton, type ButtonProps as AriaButtonProps } from 'react-aria-components/Button';
import { type LinkProps, Link as RouterLink } from 'react-router';

type Variant = 'primary' | 'secondary' | 'danger' | 'quiet';

interface Look {
  variant?: Variant;
  small?: boolean;
}

const look = ({ variant = 'secondary', small = false }: Look, more?: unknown) =>
  `button ${variant}${small ? ' small' : ''}${typeof more === 'string' ? ` ${more}` : ''}`;

/** A button. With `isPending` it keeps its place and the focus, but does nothing. */
export function Button({ variant, small, className, isPending = false, ...rest }: AriaButtonProps & Look) {
  // Not the library's own `isPending`, whose announcement outlives a button that is removed.
  const inactive = isPending && { onPress: undefined, type: 'button' as const, 'aria-disabled': true };
  return (
    <AriaButton
      {...rest}
      {...inactive}
      className={look({ variant, small }, `${className ?? ''}${isPending ? ' pending' : ''}`)}
    />
  );
}

/** A link that looks like a button. Use it only for navigation, never for actions. */
export function ButtonLink({ variant, small, className, ...rest }: LinkProps & Look) {
  return <RouterLink {...rest} className={look({ variant, small }, className)} />;
}

/** A link to this server's documentation; `to` is the path below `/docs/`. */
export function GuideLink({ to, children }: { to: string; children: ReactNode }) {
  return <ServerLink to={`/docs/${to}`}>{children}</ServerLink>;
}

/** A link to a page of this server outside of the console, in a tab of its own: this one keeps the session. */
export function ServerLink({ to, children }: { to: string; children: ReactNode }) {
  return (
    <a href={to} className={look({})} target="_blank" rel="noopener">
      {children}
    </a>
  );
}

/** A link inside the console. */
export function Link(props: LinkProps) {
  return <RouterLink {...props} className={`link ${props.className ?? ''}`} />;
}
