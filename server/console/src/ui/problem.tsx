import './fields.css';
import { createContext, useContext, useState } from 'react';
import { FieldError, FieldErrorContext } from 'react-aria-components/FieldError';

/** Another value with every sending of a form and every answer to it. */
export const SendingContext = createContext<unknown>(undefined);

/**
 * What is wrong with a field. When the field has been changed the words go, but their room stays until the
 * form is sent again: no button moves away under the press that left the field.
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
