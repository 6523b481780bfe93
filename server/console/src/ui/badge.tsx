import './badge.css';
import type { ReactNode } from 'react';
import type { Tone } from './alert';

/** A state as a word. The colour repeats its meaning. */
export function Badge({ tone = 'neutral', children }: { tone?: Tone | 'neutral'; children: ReactNode }) {
  return <span className={`badge ${tone}`}>{children}</span>;
}
