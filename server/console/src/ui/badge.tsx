import './badge.css';
import type { ReactNode } from 'react';
import type { Tone } from './alert';

/** A state in a word. The word says it, the colour only helps. */
export function Badge({ tone = 'neutral', children }: { tone?: Tone | 'neutral'; children: ReactNode }) {
  return <span className={`badge ${tone}`}>{children}</span>;
}
