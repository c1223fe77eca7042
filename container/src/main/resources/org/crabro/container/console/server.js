// Requests to the config port. The token is kept for this tab alone.

const TOKEN = 'crabro.token';
const API = '/console/api/';

export class ServerError extends Error {
  constructor(status, message) {
    super(message);
    this.name = 'ServerError';
    this.status = status;
  }
}

export const token = {
  get: () => sessionStorage.getItem(TOKEN),
  set: (value) => sessionStorage.setItem(TOKEN, value),
  clear: () => sessionStorage.removeItem(TOKEN),
};

async function send(path, options = {}) {
  const headers = { ...options.headers };
  if (token.get()) headers.Authorization = `Bearer ${token.get()}`;
  let response;
  try {
    response = await fetch(path, { ...options, headers, cache: 'no-store' });
  } catch (error) {
    if (error.name === 'AbortError') throw error;
    throw new ServerError(0, 'The server does not answer. Is it running?');
  }
  const text = await response.text();
  if (response.status === 401) {
    dispatchEvent(new CustomEvent('crabro-sign-in', { detail: message(response, text) }));
  }
  return { response, text };
}

function message(response, text) {
  try {
    const body = JSON.parse(text);
    const errors = body.root?.errors?.map((error) => error.message ?? error.summary).join('\n');
    return errors || body.message || body.error || `Status ${response.status}`;
  } catch {
    return text || `Status ${response.status}`;
  }
}

async function checked(path, options) {
  const { response, text } = await send(path, options);
  if (!response.ok) throw new ServerError(response.status, message(response, text));
  return text;
}

const parsed = async (path, options) => JSON.parse(await checked(path, options));

export const status = () => parsed(`${API}status`);
export const schemas = () => parsed(`${API}schemas`);
export const metrics = () => parsed(`${API}metrics`);
export const seconds = (after) => parsed(`${API}seconds?after=${after}`);
/** Documents by type, with the largest groups of each. */
export const groups = (limit, signal) => parsed(`${API}groups?limit=${limit}`, { signal });
export const history = () => parsed(`${API}history`);
export const values = () => parsed('/state/v1/metrics');

/** Returns the result also where it has errors; `status` is that of the response. */
export async function search(parameters, signal) {
  const { response, text } = await send(`${API}search`, {
    method: 'POST',
    headers: { 'Content-Type': 'application/json' },
    body: JSON.stringify(parameters),
    signal,
  });
  try {
    const result = JSON.parse(text);
    if (result.root) return { status: response.status, bytes: text.length, result };
  } catch {
    // Not JSON: told below.
  }
  throw new ServerError(response.status, message(response, text));
}

/** Reads `/document/v1/…`; parts of the path are encoded here. */
export function documents(parts, parameters = {}, signal = undefined) {
  const query = new URLSearchParams(Object.entries(parameters).filter(([, value]) => value !== '' && value !== undefined));
  return parsed(`${API}document/v1/${parts.map(encodeURIComponent).join('/')}?${query}`, { signal });
}

function application({ tenant, application: name, instance }) {
  return `/application/v2/tenant/${encodeURIComponent(tenant)}/application/${encodeURIComponent(name)}`
    + `/environment/prod/region/default/instance/${encodeURIComponent(instance)}`;
}

export const services = (name) => parsed(`${application(name)}/serviceconverge`);
export const files = (name) => parsed(`${application(name)}/content/?recursive=true`);
export const file = (path) => checked(path);
export const logs = (name, from) => checked(`${application(name)}/logs?from=${from}`);
