import './alert.css';
import type { ReactNode } from 'react';

export type Tone = 'info' | 'good' | 'warn' | 'bad';

const SIGNS: Record<Tone, string> = { info: 'i', good: '✓', warn: '!', bad: '!' };

/** A notice. With `live`, screen readers announce it when it appears. */
export function Alert({
  tone = 'info',
  title,
  live = false,
  children,
}: {
  tone?: Tone;
  title?: string;
  live?: boolean;
  children?: ReactNode;
}) {
  return (
    <div className={`alert ${tone}`} role={live ? 'alert' : undefined}>
      <span className="alert-sign" aria-hidden="true">
        {SIGNS[tone]}
      </span>
      <div className="alert-body">
        {title !== undefined && <strong>{title}</strong>}
        {children !== undefined && <div className="alert-text">{children}</div>}
      </div>
    </div>
  );
}
