import { type FormEvent, type ReactNode, useEffect, useMemo, useRef, useState } from 'react';
import { Form as AriaForm } from 'react-aria-components/Form';
import { describe, fieldErrors, isConflict, placeInWords } from '../app/errors';
import { Alert } from './alert';
import { Button } from './button';
import { Clashes } from './clashes';
import { LeaveGuard } from './leave-guard';
import { SendingContext } from './problem';
import { type Clash, clashesOf, rebase } from './rebase';

interface FormProps {
  /** The result of `useAction`; its errors are shown at the fields that they name. */
  action: { pending: boolean; error: Error | null };
  onSubmit: () => void;
  /**
   * Finds problems to fix before sending, by field name. Only for problems that the server's message would
   * not explain.
   */
  check?: () => Problems;
  /** The draft's `clashes`. */
  clashes?: readonly Clash[];
  children: ReactNode;
  /** The text of the button that sends the form. Without it, the form's content has its own button. */
  submit?: string;
  /** Shown beside that button. */
  extra?: ReactNode;
  /** Whether there are unsaved changes. */
  dirty?: boolean;
  isDisabled?: boolean;
}

/** Errors by the name of the field. */
export type Problems = Record<string, string[]>;

/**
 * A form that shows the server's errors: problems of a field at the field (by `name`, the field's path in the
 * body), all others above the button. It keeps what was typed after any error, and asks before a page with
 * unsaved changes is left.
 */
export function Form({
  action,
  onSubmit,
  check,
  clashes = [],
  children,
  submit,
  extra,
  dirty = false,
  isDisabled,
}: FormProps) {
  const form = useRef<HTMLFormElement>(null);
  const [unsent, setUnsent] = useState(NONE.atFields);
  const { atFields: refused, elsewhere } = useErrors(action.error, form);
  const atFields = unsent === NONE.atFields ? refused : unsent;
  useFocusFirst(atFields, form);
  // biome-ignore lint/correctness/useExhaustiveDependencies: a new object whenever one of them changes
  const sending = useMemo(() => ({}), [action.error, unsent]);
  const send = (event: FormEvent) => {
    event.preventDefault();
    event.stopPropagation();
    if (action.pending) return;
    const own = check?.() ?? {};
    const isFine = Object.keys(own).length === 0;
    setUnsent(isFine ? NONE.atFields : own);
    if (isFine) onSubmit();
  };
  return (
    <AriaForm
      ref={form}
      className="form"
      validationErrors={atFields}
      validationBehavior="aria"
      onSubmit={send}
    >
      <SendingContext value={sending}>{children}</SendingContext>
      <div className="form-end">
        {action.error !== null && (
          <FormAlert error={action.error} elsewhere={elsewhere}>
            <Clashes clashes={clashes} form={form.current} />
          </FormAlert>
        )}
        {submit !== undefined && (
          <div className="row">
            <Button type="submit" variant="primary" isPending={action.pending} isDisabled={isDisabled}>
              {action.pending ? `${submit} …` : submit}
            </Button>
            {extra}
          </div>
        )}
      </div>
      <LeaveGuard when={dirty && !action.pending} />
    </AriaForm>
  );
}

function FormAlert({
  error,
  elsewhere,
  children,
}: {
  error: Error;
  elsewhere: string[];
  children: ReactNode;
}) {
  const { kind, title, text, requestId } = describe(error);
  const isAllAtFields = fieldErrors(error).length > 0 && elsewhere.length === 0;
  return (
    <Alert tone="bad" title={title} live>
      <p>{isAllAtFields ? 'The fields with problems say what to change.' : text}</p>
      {elsewhere.length > 0 && (
        <ul>
          {elsewhere.map((line) => (
            <li key={line}>{line}</li>
          ))}
        </ul>
      )}
      {isConflict(error) && <p>This page has read the record again. What you entered is still here.</p>}
      {isConflict(error) && children}
      {kind === 'broken' && requestId !== undefined && <p className="hint">Request {requestId}</p>}
    </Alert>
  );
}

interface Sorted {
  atFields: Problems;
  elsewhere: string[];
}

/** Sorts the problems: a problem belongs to the field whose name is its path or a parent of it. */
function useErrors(error: Error | null, form: { current: HTMLFormElement | null }): Sorted {
  const [sorted, setSorted] = useState<Sorted>(NONE);
  // After each render, because the fields on the page may have changed.
  useEffect(() => {
    const next = error === null ? NONE : sortErrors(error, namesIn(form.current));
    setSorted((before) => (JSON.stringify(before) === JSON.stringify(next) ? before : next));
  });
  // An error after another attempt is shown again, even if it is the same.
  // biome-ignore lint/correctness/useExhaustiveDependencies: each error is a new answer
  useEffect(() => setSorted((before) => ({ ...before, atFields: { ...before.atFields } })), [error]);
  return sorted;
}

const namesIn = (form: HTMLFormElement | null): ReadonlySet<string> =>
  new Set([...(form?.elements ?? [])].map((field) => field.getAttribute('name') ?? ''));

function sortErrors(error: Error, names: ReadonlySet<string>): Sorted {
  const atFields: Problems = {};
  const elsewhere: string[] = [];
  for (const { path, message } of fieldErrors(error)) {
    const name = nearest(path, names);
    if (name === undefined) elsewhere.push(`${placeInWords(path)}: ${message}.`.replace(/\.\.$/, '.'));
    else atFields[name] = [...(atFields[name] ?? []), sentence(message)];
  }
  return { atFields, elsewhere };
}

const NONE: Sorted = { atFields: {}, elsewhere: [] };

function nearest(path: string, names: ReadonlySet<string>): string | undefined {
  for (let at = path; at !== ''; at = at.includes('.') ? at.slice(0, at.lastIndexOf('.')) : '') {
    if (names.has(at)) return at;
  }
  return undefined;
}

const sentence = (text: string) => `${text.charAt(0).toUpperCase()}${text.slice(1)}.`.replace(/\.\.$/, '.');

function useFocusFirst(atFields: Problems, form: { current: HTMLFormElement | null }) {
  useEffect(() => {
    if (Object.keys(atFields).length === 0) return;
    const first = [...(form.current?.elements ?? [])].find(
      (field) => (field.getAttribute('name') ?? '') in atFields,
    );
    if (!(first instanceof HTMLElement)) return;
    // Opens folded parts, because a field in them cannot be focused.
    for (
      let fold = first.closest('details');
      fold !== null;
      fold = fold.parentElement?.closest('details') ?? null
    ) {
      fold.open = true;
    }
    first.focus();
    // Together with its message, which is below it.
    (first.closest('.field, .choices') ?? first).scrollIntoView({ block: 'nearest' });
  }, [atFields, form]);
}

/**
 * The values of a form's fields. `bind('title')` returns the properties of a field; `prefix` is put before
 * its name.
 */
export function useDraft<Draft extends object>(initial: Draft, prefix = '') {
  const [saved, setSaved] = useState(initial);
  const [value, setValue] = useState(initial);
  const [clashes, setClashes] = useState<readonly Clash[]>([]);
  const dirty = useMemo(() => JSON.stringify(value) !== JSON.stringify(saved), [value, saved]);
  return {
    value,
    dirty,
    /** Fields that somebody else has saved with another value. */
    clashes,
    set: (part: Partial<Draft>) => setValue((before) => ({ ...before, ...part })),
    bind: <Key extends keyof Draft & string>(key: Key) => ({
      name: `${prefix}${key}`,
      value: value[key],
      onChange: (next: Draft[Key]) => setValue((before) => ({ ...before, [key]: next })),
    }),
    /** The saved record, as far as this page knows. */
    base: saved,
    /** Somebody else has saved the record: typed values stay, all others are replaced by the saved ones. */
    rebase: (now: Draft) => {
      setClashes(clashesOf(saved, value, now));
      setValue((typed) => rebase(saved, typed, now));
      setSaved(now);
    },
    /** Sets the saved record, and drops what was typed. */
    saved: (now: Draft) => {
      setClashes([]);
      setSaved(now);
      setValue(now);
    },
  };
}
