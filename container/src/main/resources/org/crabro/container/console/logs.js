import { field, h, note, number, show, table } from './dom.js';
import { logs } from './server.js';

const LINES_MAX = 500;
const LEVELS = ['error', 'warning', 'info', 'config', 'debug', 'spam'];

function parse(line) {
  const [time, host, process, , component, level, message] = line.split('\t');
  return { time: new Date(Number(time) * 1000), host, process, component, level, message: message ?? '' };
}

export async function open(place, { server }) {
  if (!server.application) {
    place.replaceChildren(note('Logs belong to an application, and none is deployed.'));
    return;
  }
  const level = h('select', {}, LEVELS.map((name) => h('option', { value: name }, name)));
  level.value = 'info';
  const filter = h('input', { type: 'search', autocomplete: 'off' });
  const list = h('div', { class: 'log', 'aria-live': 'polite' });
  let lines = [];
  const draw = () => {
    const most = LEVELS.indexOf(level.value);
    const found = lines.filter((line) => LEVELS.indexOf(line.level) <= most
      && `${line.component} ${line.message}`.includes(filter.value));
    const last = found.slice(-LINES_MAX).reverse();
    return last.length === 0 ? note('No lines.') : table(`${number(last.length)} of ${number(found.length)} lines, the latest first`, [
      ['Time', (line) => line.time.toLocaleString()],
      ['Level', (line) => h('span', { class: `level-${line.level}` }, line.level)],
      ['Component', (line) => line.component],
      ['Message', (line) => line.message.replaceAll('\\n', '\n').replaceAll('\\t', ' ')],
    ], last);
  };
  const read = () => show(list, async () => {
    lines = (await logs(server.application, 0)).split('\n').filter(Boolean).map(parse);
    return draw();
  });
  level.addEventListener('change', () => show(list, async () => draw()));
  filter.addEventListener('input', () => show(list, async () => draw()));
  place.replaceChildren(
    h('div', { class: 'fields' }, field('Level', level), field('Contains', filter),
      h('button', { type: 'button', onclick: read }, 'Read again')),
    list);
  await read();
}
