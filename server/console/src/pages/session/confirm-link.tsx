import { useNavigate } from 'react-router';
import { keys, type Schemas, useAction } from '../../app/data';
import { Button, FieldList, Form } from '../../ui';
import { Entry } from './entry';

/** Shows both accounts, and asks whether one may log in to the other. */
export function ConfirmLink({ proved, next }: { proved: Schemas['ProvedLink']; next: string }) {
  const { link, name, email, user } = proved;
  const navigate = useNavigate();
  const leave = () => void navigate(next, { replace: true });
  const finish = useAction((api, _: undefined) => api.finishLink({ body: { link } }), {
    success: `${name} is linked`,
    changes: [keys.me, ['identities']],
    onDone: leave,
  });
  return (
    <Entry title={`Link ${name}?`}>
      <Form
        action={finish}
        submit="Link them"
        onSubmit={() => finish.run(undefined)}
        extra={<Button onPress={leave}>Do not link</Button>}
      >
        <FieldList
          items={[
            ['Your account here', `${user.name}, ${user.email}`],
            [`Your account at ${name}`, email ?? 'It gave no address'],
          ]}
        />
        <p>
          Whoever logs in to that account of {name} gets into this one, and whoever can log in to this one has
          the roles that groups of {name} give. Link them only if both are yours alone.
        </p>
      </Form>
    </Entry>
  );
}
