import style from './session.module.css';
import '../../app/shell.css';
import { type ReactNode, useEffect } from 'react';

/** The layout of login and set-up: one card in the middle. */
export function Entry({ title, children }: { title: string; children: ReactNode }) {
  useEffect(() => {
    document.title = `${title} · Avow`;
  }, [title]);
  return (
    <main className="centred">
      <div className={style.entry}>
        <span className="brand">
          <img src={`${import.meta.env.BASE_URL}icon.svg`} alt="" width="28" height="28" />
          Avow
        </span>
        <div className="card">
          <h1>{title}</h1>
          {children}
        </div>
      </div>
    </main>
  );
}
