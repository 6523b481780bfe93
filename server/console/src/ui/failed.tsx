import { describe } from '../app/errors';
import { Alert } from './alert';

/** Why an action that no form has sent did not work. */
export function Failed({ error }: { error: Error | null }) {
  if (error === null) return null;
  const { title, text } = describe(error);
  return (
    <Alert tone="bad" title={title} live>
      {text}
    </Alert>
  );
}
