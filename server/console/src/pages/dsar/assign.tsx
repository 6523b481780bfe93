import { useState } from 'react';
import { keys, type Schemas, useAction } from '../../app/data';
import { useSite } from '../../app/site';
import { Button, Dialog, Form, Select, useDraft } from '../../ui';
import { usePeople } from './people';

type Dsar = Schemas['Dsar'];

/** Whom a choice of the menu means. */
export const assigneeOf = (choice: string): number | 'me' | null => {
  if (choice === '') return null;
  return choice === 'me' ? 'me' : Number(choice);
};

/** The choices for who works on a request. */
export const useAssignees = (): (readonly [string, string])[] => [
  ['me', 'Me'],
  ['', 'Nobody'],
  ...usePeople(),
];

/** Gives the request to somebody who may work on it. */
export function Assign({ dsar }: { dsar: Dsar }) {
  const [isOpen, open] = useState(false);
  if (!useSite().may('operator')) return null;
  return (
    <>
      <Button onPress={() => open(true)}>Assign</Button>
      <Dialog isOpen={isOpen} title="Who works on this request" onClose={() => open(false)}>
        <AssignForm dsar={dsar} close={() => open(false)} />
      </Dialog>
    </>
  );
}

function AssignForm({ dsar, close }: { dsar: Dsar; close: () => void }) {
  const { token } = useSite();
  // Whom the form showed: nobody is taken off a request unseen.
  const [seen] = useState(dsar.assignee?.user_id ?? null);
  const draft = useDraft({ assignee: seen === null ? 'me' : String(seen) });
  const assign = useAction(
    (api, assignee: string) =>
      api.assignDsar({
        ...{ token, request_id: dsar.request_id },
        body: { assignee: assigneeOf(assignee), expected_assignee: seen },
      }),
    {
      success: ({ assignee }) =>
        assignee === null
          ? 'Nobody works on the request now.'
          : `${assignee.email} works on the request now.`,
      changes: [keys.site(token, 'dsar')],
      onDone: close,
    },
  );
  return (
    <Form
      action={assign}
      submit="Assign"
      extra={<Button onPress={close}>Cancel</Button>}
      onSubmit={() => assign.run(draft.value.assignee)}
    >
      <Select
        label="Person"
        {...draft.bind('assignee')}
        options={useAssignees()}
        description="An operator or owner. Others are told by mail, if they want to be."
      />
    </Form>
  );
}
