import { LoginFields } from './login-fields';
import type { Kind } from './question';
import { ReproofFields } from './reproof-fields';

/** What the dialog of a question asks for. A file of its own, because pages are loaded without it. */
export default function QuestionFields({ kind, id }: { kind: Kind; id: string }) {
  return kind === 'login' ? <LoginFields id={id} /> : <ReproofFields id={id} isOwn={kind === 'own proof'} />;
}
