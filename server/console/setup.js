// The page behind the one-time link: sends the code in the address, which no server ever sees, with the chosen password.
const form = document.getElementById('form');
const fields = ['email', 'name', 'password'];
const value = (field) => document.getElementById(field).value.trim();

form.addEventListener('submit', async (event) => {
  event.preventDefault();
  const button = form.querySelector('button');
  button.disabled = true;
  showErrors('', []);
  try {
    await createAccount();
  } catch {
    showErrors('The server cannot be reached: check that it runs, then try again.', []);
  } finally {
    button.disabled = false;
  }
});

async function createAccount() {
  const body = { code: location.hash.slice(1), password: document.getElementById('password').value };
  if (value('email')) body.email = value('email');
  if (value('name')) body.name = value('name');
  const response = await fetch('/api/auth/accept-invitation', {
    method: 'POST',
    headers: { 'Content-Type': 'application/json' },
    body: JSON.stringify(body),
  });
  const answer = await response.json();
  if (response.ok) return showDone(answer.data.token);
  const linkIsBad = answer.data.errors.some(({ path }) => path === 'body.code');
  const message = linkIsBad
    ? 'The address lacks its code: copy the whole link, with everything behind the #.'
    : answer.message;
  showErrors(message, answer.data.errors);
}

function showErrors(message, errors) {
  document.getElementById('form-error').textContent = message;
  for (const field of fields) {
    const error = errors.find(({ path }) => path === `body.${field}`);
    document.getElementById(`${field}-error`).textContent = error ? error.message : '';
    document.getElementById(field).setAttribute('aria-invalid', String(error !== undefined));
  }
  const first = fields.find((field) => errors.some(({ path }) => path === `body.${field}`));
  if (first) document.getElementById(first).focus();
}

async function showDone(token) {
  const response = await fetch('/api/environments', { headers: { Authorization: `Bearer ${token}` } });
  const { data } = await response.json();
  for (const { name, token: site } of data.items) {
    const item = document.createElement('li');
    const code = document.createElement('code');
    code.textContent = site;
    item.append(`${name}: `, code);
    document.getElementById('sites').append(item);
  }
  form.hidden = true;
  document.getElementById('lead').hidden = true;
  document.getElementById('done').hidden = false;
  history.replaceState(null, '', location.pathname);
}
