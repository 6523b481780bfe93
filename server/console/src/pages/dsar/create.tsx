import type { Input } from '@avow/sdk';
import { useNavigate } from 'react-router';
import { keys, useAction } from '../../app/data';
import { Allowed, useSite } from '../../app/site';
import { Button, Card, Forbidden, Form, PageHeader, Select, TextArea, TextField, useZone } from '../../ui';
import { useKeptDraft } from '../../ui/kept-draft';
import { Restored } from '../../ui/restored';
import { toWall } from '../../ui/zone';
import { CHANNELS, TYPES } from './names';

type Body = Input<'recordDsar'>['body'];

/** Records a request that came by letter, telephone or otherwise. */
export default function NewRequest() {
  const { path } = useSite();
  return (
    <>
      <PageHeader title="Record a request" back={[path('dsar'), 'Requests']}>
        For requests that came by letter, by telephone or in person. The month to answer starts on the day it
        arrived.
      </PageHeader>
      <Allowed
        to="operator"
        otherwise={<Forbidden>Only operators and owners can record requests.</Forbidden>}
      >
        <Fields />
      </Allowed>
    </>
  );
}

function Fields() {
  const { token, path } = useSite();
  const zone = useZone();
  const navigate = useNavigate();
  const today = toWall(new Date().toISOString(), zone).slice(0, 10);
  const draft = useKeptDraft(`dsar:new:${token}`, {
    ...{ request_type: 'access' as Body['request_type'], channel: 'letter' as Body['channel'] },
    ...{ received_on: today, name: '', email: '', contact: '', message: '' },
  });
  const record = useAction((api, body: Body) => api.recordDsar({ token, body }), {
    success: 'The request is recorded.',
    changes: [keys.site(token, 'dsar'), keys.site(token, 'warnings'), keys.site(token, 'events')],
    onDone: ({ request_id }) => {
      draft.discard();
      void navigate(path(`dsar/${request_id}`), { replace: true });
    },
  });
  const filled = Object.fromEntries(Object.entries(draft.value).filter(([, value]) => value !== ''));
  return (
    <>
      <Restored draft={draft} />
      <Form
        action={record}
        submit="Record"
        extra={<Button onPress={() => navigate(path('dsar'))}>Later</Button>}
        onSubmit={() => record.run(filled as unknown as Body)}
      >
        <Card title="The request">
          <Select label="Kind" {...draft.bind('request_type')} options={TYPES} isRequired />
          <Select label="How it came" {...draft.bind('channel')} options={CHANNELS} isRequired />
          <TextField
            label="Received on"
            {...draft.bind('received_on')}
            type="date"
            isRequired
            description="The day it reached you, not the day it was written."
          />
          <TextArea label="Request in the person’s words" {...draft.bind('message')} maxLength={10000} />
        </Card>
        <Card title="Who asks">
          <TextField label="Name" {...draft.bind('name')} maxLength={200} />
          <TextField label="E-mail address" {...draft.bind('email')} type="email" isConditional />
          <TextArea
            label="Postal address or telephone number"
            {...draft.bind('contact')}
            rows={3}
            maxLength={500}
            isConditional
            description="Where to send the answer; this or an e-mail address is required."
          />
        </Card>
      </Form>
    </>
  );
}
