import { keys, useAction } from '../../app/data';
import { useSite } from '../../app/site';
import { Button, Card, Failed } from '../../ui';

/** Whether members of the site must log in with a second factor. */
export function SecondFactorRule() {
  const { token, second_factor_required: isRequired } = useSite();
  const save = useAction((api, required: boolean) => api.setSecondFactorRule({ token, body: { required } }), {
    success: 'Saved',
    changes: [keys.site(token), keys.sites],
  });
  return (
    <Card title="Second factor">
      <p>
        {isRequired
          ? 'Members must log in with a second factor. Members without one have no access until they add it.'
          : 'Members may log in with their password alone.'}
      </p>
      <Failed error={save.error} />
      <div>
        <Button isPending={save.pending} onPress={() => save.run(!isRequired)}>
          {isRequired ? 'Stop requiring it' : 'Require a second factor'}
        </Button>
      </div>
    </Card>
  );
}
