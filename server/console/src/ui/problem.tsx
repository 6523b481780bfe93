import './fields.css';
import { createContext, useContext, useState } from 'react';
import { FieldError, FieldErrorContext } from 'react-aria-components/FieldError';

/** A value that changes whenever a form is sent or gets an answer. */
export const SendingContext = createContext<unknown>(undefined);

/**
 * The error of a field. When the field has been changed, the text disappears, but its space stays until the
 * form is sent again, so that no button moves while it is being pressed.
 */
export function Problem() {
  const found = useContext(FieldErrorContext);
  const sending = useContext(SendingContext);
  const words = found?.isInvalid ? found.validationErrors.join(' ') : '';
  const [kept, keep] = useState({ words, sending });
  if (words !== '' && (kept.words !== words || kept.sending !== sending)) keep({ words, sending });
  if (words !== '') return <FieldError className="field-error" />;
  if (kept.words === '' || kept.sending !== sending) return null;
  return (
    <span className="field-error room" aria-hidden="true">
      {kept.words}
    </span>
  );
}
