import './toast.css';
import { useEffect, useState, useSyncExternalStore } from 'react';
import { Button } from './button';

const SHOWN_FOR = 6_000;
let shown: { id: number; text: string }[] = [];
let last = 0;
const listeners = new Set<() => void>();

function set(next: typeof shown): void {
  shown = next;
  for (const notify of listeners) notify();
}

/** Confirms that something was done. Failures are shown where they happen instead. */
export function toast(text: string): void {
  last += 1;
  set([...shown.slice(-2), { id: last, text }]);
}

const dismiss = (id: number): void => set(shown.filter((one) => one.id !== id));

/** Where toasts appear, and are said by screen readers. */
export function ToastRegion() {
  const all = useSyncExternalStore(
    (notify) => {
      listeners.add(notify);
      return () => listeners.delete(notify);
    },
    () => shown,
  );
  return (
    <div className="toasts" role="status">
      {all.map((one) => (
        <Toast key={one.id} {...one} />
      ))}
    </div>
  );
}

function Toast({ id, text }: { id: number; text: string }) {
  const [held, hold] = useState(false);
  useEffect(() => {
    if (held) return;
    const timer = setTimeout(() => dismiss(id), SHOWN_FOR);
    return () => clearTimeout(timer);
  }, [id, held]);
  return (
    <div className="toast" onPointerEnter={() => hold(true)} onPointerLeave={() => hold(false)}>
      <span>{text}</span>
      <Button variant="quiet" small aria-label="Dismiss" onPress={() => dismiss(id)}>
        ×
      </Button>
    </div>
  );
}
