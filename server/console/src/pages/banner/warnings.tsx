import { createContext, useContext } from 'react';
import type { Schemas } from '../../app/data';
import { Alert } from '../../ui';
import style from './banner.module.css';

type Warning = Schemas['BundleWarning'];

/** The server's warnings about the banner in the preview. */
export const WarningsContext = createContext<readonly Warning[]>([]);

const concerns = (path: string, field: string): boolean => path === field || path.startsWith(`${field}.`);

/** The warnings of a field, shown beside it. */
export function FieldWarnings({ of }: { of: string }) {
  const own = useContext(WarningsContext).filter(({ path }) => concerns(path, of));
  return (
    <div role="status" className={style.fieldWarnings}>
      {own.map(({ code, message, path }) => (
        <Alert key={`${code} ${path}`} tone="warn">
          {message}
        </Alert>
      ))}
    </div>
  );
}

/** Warnings that belong to no field of the page. */
export function OtherWarnings({ fields }: { fields: readonly string[] }) {
  const others = useContext(WarningsContext).filter(
    ({ path }) => !fields.some((field) => concerns(path, field)),
  );
  return others.map(({ code, message, path }) => (
    <Alert key={`${code} ${path}`} tone="warn">
      {message}
    </Alert>
  ));
}
