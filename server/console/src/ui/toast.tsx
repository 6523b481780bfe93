import './toast.css';
import { useEffect, useState } from 'react';
import { createStore } from '../app/store';
import { Button } from './button';

const SHOWN_FOR = 6_000;
const shown = createStore<readonly { id: number; text: string }[]>([]);
let last = 0;

/** Confirms that something was done. Failures are shown where they happen instead. */
export function toast(text: string): void {
  last += 1;
  shown.set([...shown.get().slice(-2), { id: last, text }]);
}

const dismiss = (id: number): void => shown.set(shown.get().filter((one) => one.id !== id));

/** The region where toasts appear; screen readers announce them. */
export function ToastRegion() {
  const all = shown.useValue();
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
